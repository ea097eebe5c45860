package examples.modules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Brings modules into an order in which each comes after all that it needs. */
public final class BuildOrder {

    private final ModuleGraph graph;

    public BuildOrder(ModuleGraph graph) {
        this.graph = graph;
    }

    /** All modules in order; raises {@link CycleException} when there is none. */
    public List<String> compute() {
        Set<String> done = new LinkedHashSet<>();
        for (String module : graph.modules()) {
            visit(module, done, new HashSet<>());
        }
        return new ArrayList<>(done);
    }

    /**
     * Adds a module to {@code done} after all that it needs.
     *
     * @param path the modules whose needs led here
     */
    private void visit(String module, Set<String> done, Set<String> path) {
        if (done.contains(module)) {
            return;
        }
        path.add(module);
        for (String needed : graph.needs(module)) {
            visit(needed, done, path);
        }
        done.add(module);
    }
}
