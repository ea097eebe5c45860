package examples.stats;

/** One line about response times in milliseconds. */
public final class LatencySummary {

    private final String name;
    private final Percentiles percentiles;

    public LatencySummary(String name, long... millis) {
        this.name = name;
        this.percentiles = new Percentiles(millis);
    }

    public String line() {
        return name
                + " p50=" + percentiles.of(50)
                + " p95=" + percentiles.of(95)
                + " max=" + percentiles.of(100);
    }
}
