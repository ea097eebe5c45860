package examples.intervals;

/** The integers from start (included) to end (not included). */
public final class Interval {

    private final int start;
    private final int end;

    public Interval(int start, int end) {
        if (start >= end) {
            throw new IllegalArgumentException("empty interval [" + start + "," + end + ")");
        }
        this.start = start;
        this.end = end;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Interval
                && ((Interval) other).start == start
                && ((Interval) other).end == end;
    }

    @Override
    public int hashCode() {
        return 31 * start + end;
    }

    @Override
    public String toString() {
        return "[" + start + "," + end + ")";
    }
}
