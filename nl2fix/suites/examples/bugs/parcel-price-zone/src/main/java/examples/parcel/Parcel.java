package examples.parcel;

/** A parcel to send. */
public record Parcel(Zone zone, int grams) {

    public Parcel {
        if (grams < 1 || grams > 31_500) {
            throw new IllegalArgumentException("a parcel weighs 1 to 31500 grams, not " + grams);
        }
    }

    /** Kilograms above two, those that have begun included. */
    public int extraKilograms() {
        return Math.max(0, (grams - 2_000 + 999) / 1_000);
    }
}
