package examples.geo;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes geometries as GeoJSON with six decimals, which is about ten centimetres. */
public final class GeoJson {

    private GeoJson() {
    }

    public static String point(Position position) {
        return geometry("point", pair(position));
    }

    public static String line(List<Position> positions) {
        String pairs = positions.stream().map(GeoJson::pair).collect(Collectors.joining(",", "[", "]"));
        return geometry("line_string", pairs);
    }

    private static String geometry(String type, String coordinates) {
        StringBuilder name = new StringBuilder();
        for (String word : type.split("_")) {
            name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return "{\"type\":\"" + name + "\",\"coordinates\":" + coordinates + "}";
    }

    private static String pair(Position position) {
        return "[" + number(position.longitude()) + "," + number(position.latitude()) + "]";
    }

    private static String number(double degrees) {
        String text = String.format("%.6f", degrees);
        return text.replaceAll("\\.?0+$", "");
    }
}
