package examples.glob;

import java.util.ArrayList;
import java.util.List;

/** Patterns of names to leave out; a pattern after {@code !} takes names in again. */
public final class IgnoreList {

    private final List<Glob> patterns = new ArrayList<>();
    private final List<Boolean> hides = new ArrayList<>();

    public IgnoreList(String... lines) {
        for (String line : lines) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            boolean negated = line.startsWith("!");
            patterns.add(new Glob(negated ? line.substring(1) : line));
            hides.add(!negated);
        }
    }

    /** The last pattern that fits a name decides. */
    public boolean hides(String name) {
        for (int i = patterns.size() - 1; i >= 0; i--) {
            if (patterns.get(i).matches(name)) {
                return hides.get(i);
            }
        }
        return false;
    }
}
