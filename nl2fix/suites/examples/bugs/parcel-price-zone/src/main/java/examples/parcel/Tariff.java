package examples.parcel;

import java.util.ArrayList;
import java.util.List;

/** Prices of parcels in cents. */
public final class Tariff {

    private Tariff() {
    }

    /** Basic price up to two kilograms, and a price for every further kilogram. */
    public static int price(Parcel parcel) {
        int basic = switch (parcel.zone()) {
            case DOMESTIC -> 500;
            case NEIGHBOUR -> 1_100;
            case OVERSEAS -> 2_400;
        };
        int perKilogram = switch (parcel.zone()) {
            case DOMESTIC -> 100;
            case NEIGHBOUR -> 250;
            default -> 0;
        };
        return basic + perKilogram * parcel.extraKilograms();
    }

    /** Lines with the price to every zone. */
    public static List<String> offer(int grams) {
        List<String> lines = new ArrayList<>();
        for (Zone zone : Zone.values()) {
            int cents = price(new Parcel(zone, grams));
            lines.add("%s %d.%02d".formatted(zone, cents / 100, cents % 100));
        }
        return lines;
    }
}
