package examples.cache;

/** Counts hits and misses of one cache. */
public final class CacheStats {

    private long hits;
    private long misses;

    void hit() {
        hits++;
    }

    void miss() {
        misses++;
    }

    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    /** Share of reads that were hits, 0 when nothing was read yet. */
    public double hitRate() {
        long reads = hits + misses;
        return reads == 0 ? 0.0 : (double) hits / reads;
    }
}
