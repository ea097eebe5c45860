package examples.glob;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class GlobTest {

    private static boolean matches(String pattern, String name) {
        return new Glob(pattern).matches(name);
    }

    @Test
    public void plainNamesMatchThemselves() {
        assertTrue(matches("a.txt", "a.txt"));
        assertFalse(matches("a.txt", "a.txt~"));
        assertFalse(matches("a.txt", "a_txt"));
        assertTrue(matches("", ""));
    }

    @Test
    public void questionMarkIsOneCharacter() {
        assertTrue(matches("?.c", "x.c"));
        assertFalse(matches("?.c", ".c"));
        assertFalse(matches("a?", "a"));
    }

    @Test
    public void starIsSeveralCharacters() {
        assertTrue(matches("*.java", "Glob.java"));
        assertTrue(matches("a*c", "abbbc"));
        assertTrue(matches("*a*a*", "xaya1"));
        assertFalse(matches("*.java", "Glob.class"));
    }

    @Test
    public void starMatchesStars() {
        assertTrue(matches("a*", "a**"));
    }

    @Test
    public void trailingStarMatchesNothing() {
        assertTrue(matches("core*", "core"));
        assertTrue(matches("*", ""));
        assertTrue(matches("core**", "core"));
    }

    @Test
    public void starInTheMiddleMatchesNothing() {
        assertTrue(matches("a*b", "ab"));
        assertTrue(matches("a**b", "axb"));
        assertTrue(matches("*.gitignore", ".gitignore"));
    }

    @Test
    public void restAfterAStarMustFit() {
        assertFalse(matches("a*b", "a"));
        assertFalse(matches("a*?", "a"));
        assertFalse(matches("*b", ""));
    }

    @Test
    public void ignoreListHidesBareName() {
        IgnoreList list = new IgnoreList("# dumps", "", "core*", "!core.c");
        assertTrue(list.hides("core"));
        assertTrue(list.hides("core.1"));
        assertFalse(list.hides("core.c"));
        assertFalse(list.hides("main.c"));
    }

    @Test
    public void showsItsPattern() {
        assertEquals("a*", new Glob("a*").toString());
    }
}
