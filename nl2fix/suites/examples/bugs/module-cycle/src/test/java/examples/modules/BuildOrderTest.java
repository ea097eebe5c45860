package examples.modules;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Test;

public class BuildOrderTest {

    private final ModuleGraph graph = new ModuleGraph();

    private List<String> order() {
        return new BuildOrder(graph).compute();
    }

    private void assertCycle(String... oneOf) {
        try {
            fail("no cycle found: " + order());
        } catch (CycleException expected) {
            boolean named = false;
            for (String module : oneOf) {
                named |= expected.getMessage().contains(" " + module + " ");
            }
            assertTrue(expected.getMessage(), named);
        }
    }

    @Test
    public void nothingToOrder() {
        assertEquals(Collections.emptyList(), order());
    }

    @Test
    public void neededModulesComeFirst() {
        graph.module("app", "core").module("core", "util").module("util");
        assertEquals(Arrays.asList("util", "core", "app"), order());
    }

    @Test
    public void diamondIsNoCycle() {
        graph.module("app", "left", "right").module("left", "base").module("right", "base");
        assertEquals(Arrays.asList("base", "left", "right", "app"), order());
    }

    @Test
    public void needingTheSameModuleTwiceIsNoCycle() {
        graph.module("app", "base", "left", "base").module("left", "base");
        assertEquals(Arrays.asList("base", "left", "app"), order());
    }

    @Test
    public void independentModulesKeepTheirOrder() {
        graph.module("b").module("a").module("c", "a");
        assertEquals(Arrays.asList("b", "a", "c"), order());
    }

    @Test
    public void cycleIsReported() {
        graph.module("core", "util").module("util", "core");
        assertCycle("core", "util");
    }

    @Test
    public void moduleMayNotNeedItself() {
        graph.module("odd", "odd");
        assertCycle("odd");
    }

    @Test
    public void cycleBehindOtherModulesIsReported() {
        graph.module("app", "base", "a").module("base").module("a", "b").module("b", "c").module("c", "a");
        assertCycle("a", "b", "c");
    }

    @Test
    public void longChainsAreFine() {
        for (int i = 0; i < 300; i++) {
            graph.module("m" + i, "m" + (i + 1));
        }
        assertEquals(301, order().size());
    }
}
