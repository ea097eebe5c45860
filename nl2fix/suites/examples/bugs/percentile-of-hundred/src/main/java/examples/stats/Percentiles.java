package examples.stats;

import java.util.Arrays;

/** Percentiles by the nearest rank method: always one of the values. */
public final class Percentiles {

    private final long[] sorted;

    public Percentiles(long... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        this.sorted = values.clone();
        Arrays.sort(sorted);
    }

    /** The smallest value such that at least the given percentage of values is not above it. */
    public long of(double percent) {
        if (!(percent >= 0 && percent <= 100)) {
            throw new IllegalArgumentException("no such percentile: " + percent);
        }
        return sorted[rank(percent, sorted.length)];
    }

    /** Index of a percentile among sorted values; the smallest value for percentile 0. */
    static int rank(double percent, int count) {
        return (int) (percent * count / 100);
    }
}
