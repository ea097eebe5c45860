package examples.query;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class QueryOptionsTest {

    private Map<String, String> before;

    @SuppressWarnings("unchecked")
    private static Map<String, String> defaults() throws ReflectiveOperationException {
        Field field = QueryOptions.class.getDeclaredField("DEFAULTS");
        field.setAccessible(true);
        return (Map<String, String>) field.get(null);
    }

    @Before
    public void rememberDefaults() throws ReflectiveOperationException {
        before = new HashMap<>(defaults());
    }

    @After
    public void restoreDefaults() throws ReflectiveOperationException {
        if (!defaults().equals(before)) {
            defaults().putAll(before);
        }
    }

    private static QueryOptions options(String name, String value) {
        return QueryOptions.of(Collections.singletonMap(name, value));
    }

    @Test
    public void withoutOptionsTheDefaultsHold() {
        QueryOptions options = QueryOptions.of(Collections.<String, String>emptyMap());
        assertEquals(100, options.limit());
        assertTrue(options.ascending());
        assertEquals(30, options.timeoutSeconds());
    }

    @Test
    public void givenOptionsWin() {
        assertEquals(5, options("limit", " 5 ").limit());
        assertFalse(options("order", "descending").ascending());
        assertEquals(30, options("limit", "5").timeoutSeconds());
    }

    @Test
    public void optionsOfOneQueryDoNotReachTheNext() {
        QueryOptions small = options("limit", "5");
        QueryOptions down = options("order", "descending");
        assertEquals(100, down.limit());
        assertTrue(small.ascending());
    }

    @Test
    public void defaultsNeverChange() throws ReflectiveOperationException {
        options("timeout", "1");
        assertEquals(before, defaults());
    }

    @Test
    public void plannersDoNotInfluenceEachOther() {
        Map<String, String> given = new HashMap<>();
        given.put("limit", "5");
        given.put("order", "descending");
        Planner mobile = new Planner(given);
        Planner web = new Planner(Collections.<String, String>emptyMap());
        assertEquals("SELECT * FROM song ORDER BY title DESC LIMIT 5", mobile.select("song", "title"));
        assertEquals("SELECT * FROM song ORDER BY title LIMIT 100", web.select("song", "title"));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesUnknownOption() {
        options("limti", "5");
    }
}
