package examples.headers;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;

import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

public class HeadersTest {

    private final Headers headers = new Headers();

    @Test
    public void findsTheSameSpelling() {
        headers.add("Accept", "text/html");
        assertEquals("text/html", headers.get("Accept"));
        assertNull(headers.get("Accept-Encoding"));
    }

    @Test
    public void lookupIgnoresCase() {
        headers.add("Content-Type", "text/html");
        assertEquals("text/html", headers.get("content-type"));
        assertEquals("text/html", headers.get("CONTENT-TYPE"));
    }

    @Test
    public void secondValueJoinsTheFirst() {
        headers.add("Via", "a");
        headers.add("VIA", "b");
        assertEquals("a, b", headers.get("via"));
        assertEquals(1, headers.names().size());
    }

    @Test
    public void equalNamesHaveEqualHashCodes() {
        assertEquals(new HeaderName("ETag"), new HeaderName("etag"));
        assertEquals(new HeaderName("ETag").hashCode(), new HeaderName("etag").hashCode());
    }

    @Test
    public void hashCodesAreSpread() {
        Set<Integer> hashes = new HashSet<>();
        for (char c = 'a'; c <= 'z'; c++) {
            hashes.add(new HeaderName("x-" + c).hashCode());
        }
        assertEquals(26, hashes.size());
    }

    @Test
    public void keepsSpellingAndOrder() {
        headers.add("Host", "example.org");
        headers.add("DNT", "1");
        assertEquals("[Host, DNT]", headers.names().toString());
    }

    @Test
    public void otherThingsAreNotEqual() {
        assertNotEquals(new HeaderName("Host"), new HeaderName("Hosts"));
        assertFalse(new HeaderName("Host").equals("Host"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesColon() {
        headers.add("Host:", "example.org");
    }
}
