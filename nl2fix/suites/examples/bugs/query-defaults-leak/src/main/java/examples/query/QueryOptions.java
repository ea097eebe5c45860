package examples.query;

import java.util.Map;
import java.util.TreeMap;

/** Options of one query: those that the caller gave, defaults for the rest. */
public final class QueryOptions {

    private static final Map<String, String> DEFAULTS = new TreeMap<>();

    static {
        DEFAULTS.put("limit", "100");
        DEFAULTS.put("order", "ascending");
        DEFAULTS.put("timeout", "30");
    }

    private final Map<String, String> values;

    private QueryOptions(Map<String, String> values) {
        this.values = values;
    }

    /** The given options over the defaults. */
    public static QueryOptions of(Map<String, String> given) {
        Map<String, String> merged = DEFAULTS;
        for (Map.Entry<String, String> option : given.entrySet()) {
            if (!DEFAULTS.containsKey(option.getKey())) {
                throw new IllegalArgumentException("unknown option " + option.getKey());
            }
            merged.put(option.getKey(), option.getValue().trim());
        }
        return new QueryOptions(merged);
    }

    public int limit() {
        return Integer.parseInt(values.get("limit"));
    }

    public boolean ascending() {
        return values.get("order").equals("ascending");
    }

    public int timeoutSeconds() {
        return Integer.parseInt(values.get("timeout"));
    }
}
