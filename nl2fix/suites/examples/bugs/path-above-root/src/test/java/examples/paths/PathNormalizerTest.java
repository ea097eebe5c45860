package examples.paths;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PathNormalizerTest {

    @Test
    public void dropsEmptyAndDotSegments() {
        assertEquals("/a/b", PathNormalizer.normalize("//a/./b/"));
        assertEquals("a/b", PathNormalizer.normalize("./a//b"));
    }

    @Test
    public void parentRemovesTheNameBefore() {
        assertEquals("/a/c", PathNormalizer.normalize("/a/b/../c"));
        assertEquals("c", PathNormalizer.normalize("a/../c"));
    }

    @Test
    public void nothingLeftIsDot() {
        assertEquals(".", PathNormalizer.normalize(""));
        assertEquals(".", PathNormalizer.normalize("a/.."));
        assertEquals("/", PathNormalizer.normalize("/a/.."));
    }

    @Test
    public void parentOfRootIsRoot() {
        assertEquals("/images/a.png", PathNormalizer.normalize("/../images/a.png"));
        assertEquals("/", PathNormalizer.normalize("/a/../../.."));
    }

    @Test
    public void relativePathKeepsLeadingParents() {
        assertEquals("../styles/main.css", PathNormalizer.normalize("../styles/./main.css"));
        assertEquals("..", PathNormalizer.normalize(".."));
        assertEquals("../..", PathNormalizer.normalize("../.."));
    }

    @Test
    public void parentsMayExceedNames() {
        assertEquals("../b", PathNormalizer.normalize("a/../../b"));
        assertEquals("../../x", PathNormalizer.normalize("../a/../../x"));
    }

    @Test
    public void namesMayHoldDots() {
        assertEquals("a/..b/c...", PathNormalizer.normalize("a/..b/c..."));
    }

    @Test
    public void resolvesLinks() {
        assertEquals("/docs/b.html", Links.resolve("/docs/a.html", "b.html"));
        assertEquals("/b.html", Links.resolve("/docs/a.html", "../b.html"));
        assertEquals("/b.html", Links.resolve("/docs/a.html", "/b.html"));
    }
}
