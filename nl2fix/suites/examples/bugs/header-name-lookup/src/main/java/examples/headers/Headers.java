package examples.headers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Headers of a message, in the order in which their names came first. */
public class Headers {

    private final Map<HeaderName, List<String>> values = new LinkedHashMap<>();

    public void add(String name, String value) {
        values.computeIfAbsent(new HeaderName(name), key -> new ArrayList<>()).add(value);
    }

    /** The values of a header joined by commas, or null if there is none. */
    public String get(String name) {
        List<String> found = values.get(new HeaderName(name));
        return found == null ? null : String.join(", ", found);
    }

    public List<HeaderName> names() {
        return Collections.unmodifiableList(new ArrayList<>(values.keySet()));
    }
}
