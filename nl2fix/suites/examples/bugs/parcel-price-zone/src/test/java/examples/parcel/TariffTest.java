package examples.parcel;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class TariffTest {

    private static int price(Zone zone, int grams) {
        return Tariff.price(new Parcel(zone, grams));
    }

    @Test
    public void lightParcelsCostTheBasicPrice() {
        assertEquals(500, price(Zone.DOMESTIC, 1));
        assertEquals(1_100, price(Zone.NEIGHBOUR, 2_000));
        assertEquals(2_400, price(Zone.OVERSEAS, 1_999));
    }

    @Test
    public void heavyParcelsCostPerKilogram() {
        assertEquals(600, price(Zone.DOMESTIC, 2_001));
        assertEquals(1_100 + 3 * 250, price(Zone.NEIGHBOUR, 5_000));
    }

    @Test
    public void heavyParcelsOverseasCostPerKilogram() {
        assertEquals(2_400 + 650, price(Zone.OVERSEAS, 2_500));
        assertEquals(2_400 + 10 * 650, price(Zone.OVERSEAS, 12_000));
    }

    @Test
    public void offerListsEveryZone() {
        assertEquals(List.of("DOMESTIC 6.00", "NEIGHBOUR 13.50", "OVERSEAS 30.50"), Tariff.offer(3_000));
    }

    @Test
    public void offerOfLightParcel() {
        assertEquals(List.of("DOMESTIC 5.00", "NEIGHBOUR 11.00", "OVERSEAS 24.00"), Tariff.offer(500));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesTooHeavyParcels() {
        new Parcel(Zone.DOMESTIC, 31_501);
    }
}
