package examples.version;

/** A version number of parts separated by dots, {@code 2.10.3}. */
public final class Version implements Comparable<Version> {

    private final String text;
    private final int[] parts;

    public Version(String text) {
        String[] pieces = text.split("\\.", -1);
        this.text = text;
        this.parts = new int[pieces.length];
        for (int i = 0; i < pieces.length; i++) {
            parts[i] = Integer.parseInt(pieces[i]);
        }
    }

    /** Parts are compared as numbers, from left to right. */
    @Override
    public int compareTo(Version other) {
        int common = Math.min(parts.length, other.parts.length);
        for (int i = 0; i < common; i++) {
            int order = Integer.compare(parts[i], other.parts[i]);
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Version && compareTo((Version) other) == 0;
    }

    /** Equal for versions that differ only in trailing zeros. */
    @Override
    public int hashCode() {
        int length = parts.length;
        while (length > 0 && parts[length - 1] == 0) {
            length--;
        }
        int hash = 7;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + parts[i];
        }
        return hash;
    }

    @Override
    public String toString() {
        return text;
    }
}
