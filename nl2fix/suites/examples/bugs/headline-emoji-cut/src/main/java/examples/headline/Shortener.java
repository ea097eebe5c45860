package examples.headline;

/** Shortens texts to a number of characters. */
public final class Shortener {

    private static final String DOTS = "\u2026";

    private final int limit;

    public Shortener(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be positive, not " + limit);
        }
        this.limit = limit;
    }

    /** The text itself if it is short enough, else its beginning and dots, as long as allowed. */
    public String shorten(String text) {
        if (text.length() <= limit) {
            return text;
        }
        return text.substring(0, limit - 1) + DOTS;
    }
}
