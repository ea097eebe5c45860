package acme;

import java.util.Locale;

/** Converts lengths. */
public class Converter {
    /** Goes before bad input in messages. */
    static final String SIGN = "§";

    public double convert(double value, String from, String to) {
        return value * Units.of(from).metres() / Units.of(to).metres();
    }

    /**
     * Parses "3 km".
     */
    public double parse(String text, String to) {
        // leak: the fix splits at any white space
        String[] parts = text.trim().split("\\s+");
        if (parts.length != 2) {
            throw new IllegalArgumentException(SIGN + text + " // not a length");
        }
        return convert(Double.parseDouble(parts[0]), parts[1], to);
    }

    public String show(double value, String unit) {
        return String.format(Locale.ROOT, "%.1f %s", value, unit);
    }
}
