package examples.headers;

/** Name of a header; upper and lower case do not differ. */
public final class HeaderName {

    private final String name;

    public HeaderName(String name) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("malformed header name: " + name);
        }
        this.name = name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HeaderName && ((HeaderName) other).name.equalsIgnoreCase(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
