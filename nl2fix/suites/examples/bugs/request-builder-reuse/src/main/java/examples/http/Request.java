package examples.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** A request to a service: a path and parameters. */
public final class Request {

    private final String path;
    private final Map<String, String> params;

    private Request(String path, Map<String, String> params) {
        this.path = path;
        this.params = params;
    }

    /** Begins a request to the given path. */
    public static Builder to(String path) {
        return new Builder(path);
    }

    public Map<String, String> params() {
        return params;
    }

    /** Path and parameters as they are sent. */
    public String line() {
        StringJoiner query = new StringJoiner("&", "?", "");
        query.setEmptyValue("");
        params.forEach((name, value) -> query.add(Encoding.encode(name) + "=" + Encoding.encode(value)));
        return path + query;
    }

    /** Collects what a request is made of; may be used for several requests. */
    public static final class Builder {

        private final String path;
        private final Map<String, String> params = new LinkedHashMap<>();

        private Builder(String path) {
            this.path = path;
        }

        public Builder param(String name, String value) {
            params.put(name, value);
            return this;
        }

        public Request build() {
            if (!path.startsWith("/")) {
                throw new IllegalStateException("path must begin with a slash: " + path);
            }
            return new Request(path, Collections.unmodifiableMap(params));
        }
    }
}
