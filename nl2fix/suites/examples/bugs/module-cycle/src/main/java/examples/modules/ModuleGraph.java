package examples.modules;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which module needs which others. */
public class ModuleGraph {

    private final Map<String, List<String>> needs = new LinkedHashMap<>();

    public ModuleGraph module(String name, String... needed) {
        needs.computeIfAbsent(name, key -> new ArrayList<>()).addAll(Arrays.asList(needed));
        return this;
    }

    public List<String> needs(String module) {
        return needs.getOrDefault(module, Collections.emptyList());
    }

    public Set<String> modules() {
        return needs.keySet();
    }
}
