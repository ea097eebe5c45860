package examples.glob;

/** A pattern for names: {@code ?} is one character, {@code *} any number of characters, also none. */
public final class Glob {

    private final String pattern;

    public Glob(String pattern) {
        this.pattern = pattern;
    }

    /** Whether the whole name fits the pattern. */
    public boolean matches(String name) {
        return matches(0, name, 0);
    }

    /** Whether the name from position n on fits the pattern from position p on. */
    private boolean matches(int p, String name, int n) {
        if (p == pattern.length()) {
            return n == name.length();
        }
        char c = pattern.charAt(p);
        if (n == name.length()) {
            return false;
        }
        if (c == '*') {
            return matches(p + 1, name, n + 1) || matches(p, name, n + 1);
        }
        return (c == '?' || c == name.charAt(n)) && matches(p + 1, name, n + 1);
    }

    @Override
    public String toString() {
        return pattern;
    }
}
