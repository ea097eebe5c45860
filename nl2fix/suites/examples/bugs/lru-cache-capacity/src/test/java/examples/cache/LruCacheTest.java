package examples.cache;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class LruCacheTest {

    private static LruCache<String, Integer> filled(int capacity, int count) {
        LruCache<String, Integer> cache = new LruCache<>(capacity);
        for (int i = 0; i < count; i++) {
            cache.put("k" + i, i);
        }
        return cache;
    }

    @Test
    public void holdsAsManyEntriesAsItsCapacity() {
        LruCache<String, Integer> cache = filled(3, 3);
        assertEquals(3, cache.size());
        assertEquals(Integer.valueOf(0), cache.get("k0"));
    }

    @Test
    public void capacityOfOneKeepsTheLastEntry() {
        LruCache<String, Integer> cache = filled(1, 2);
        assertEquals(Integer.valueOf(1), cache.get("k1"));
    }

    @Test
    public void neverGrowsBeyondItsCapacity() {
        LruCache<String, Integer> cache = new LruCache<>(4);
        for (int i = 0; i < 20; i++) {
            cache.put("k" + i, i);
            assertEquals(true, cache.size() <= 4);
        }
    }

    @Test
    public void evictsTheLeastRecentlyUsed() {
        List<String> evicted = new ArrayList<>();
        LruCache<String, Integer> cache = filled(3, 2);
        cache.onEviction((key, value) -> evicted.add(key));
        cache.get("k0");
        cache.put("x", 8);
        cache.put("y", 9);
        assertEquals("k1", evicted.get(0));
        assertNull(cache.get("k1"));
    }

    @Test
    public void returnsPreviousValue() {
        LruCache<String, Integer> cache = new LruCache<>(5);
        assertNull(cache.put("a", 1));
        assertEquals(Integer.valueOf(1), cache.put("a", 2));
        assertEquals(1, cache.size());
    }

    @Test
    public void countsHitsAndMisses() {
        LruCache<String, Integer> cache = filled(5, 1);
        for (String key : Arrays.asList("k0", "k0", "k0", "nothing")) {
            cache.get(key);
        }
        assertEquals(3, cache.stats().hits());
        assertEquals(0.75, cache.stats().hitRate(), 0.0);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesCapacityZero() {
        new LruCache<String, String>(0);
    }
}
