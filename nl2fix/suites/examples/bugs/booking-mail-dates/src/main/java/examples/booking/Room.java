package examples.booking;

import java.util.Locale;

/** Kinds of rooms. */
public enum Room {
    SINGLE,
    DOUBLE,
    FAMILY;

    public String label() {
        return name().toLowerCase(Locale.ROOT) + " room";
    }
}
