package examples.query;

import java.util.Map;

/** Writes the statement for a query. */
public final class Planner {

    private final QueryOptions options;

    public Planner(Map<String, String> options) {
        this.options = QueryOptions.of(options);
    }

    public String select(String table, String column) {
        return "SELECT * FROM " + table
                + " ORDER BY " + column + (options.ascending() ? "" : " DESC")
                + " LIMIT " + options.limit();
    }
}
