package examples.multimap;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.junit.Test;

public class ListMultimapTest {

    private final ListMultimap<String, Integer> map = new ListMultimap<>();

    private void fill(String... keys) {
        for (int i = 0; i < keys.length; i++) {
            map.put(keys[i], i + 1);
        }
    }

    @Test
    public void iteratesInOrderOfKeys() {
        fill("a", "b", "a");
        assertEquals(Arrays.asList(1, 3, 2), map.values());
    }

    @Test
    public void emptyMapHasNothing() {
        assertFalse(map.iterator().hasNext());
        assertEquals(Collections.emptyList(), map.values());
    }

    @Test
    public void iteratesOverKeysThatLostTheirValues() {
        fill("a", "b", "c");
        map.remove("a", 1);
        assertEquals(Arrays.asList(2, 3), map.values());
        map.put("a", 9);
        map.remove("b", 2);
        assertEquals(Arrays.asList(9, 3), map.values());
    }

    @Test
    public void severalEmptyKeysInARow() {
        fill("a", "b", "c", "d");
        map.remove("b", 2);
        map.remove("c", 3);
        assertEquals(Arrays.asList(1, 4), map.values());
    }

    @Test
    public void lastKeyMayBeEmpty() {
        fill("a", "b", "c");
        map.remove("b", 2);
        map.remove("c", 3);
        map.put("d", 4);
        map.remove("d", 4);
        map.put("e", 5);
        assertEquals(Arrays.asList(1, 5), map.values());
    }

    @Test
    public void askingTwiceSkipsNothing() {
        fill("a", "b");
        Iterator<Integer> iterator = map.iterator();
        assertTrue(iterator.hasNext());
        assertTrue(iterator.hasNext());
        assertEquals(1, (int) iterator.next());
        assertEquals(2, (int) iterator.next());
        assertFalse(iterator.hasNext());
    }

    @Test(expected = NoSuchElementException.class)
    public void nextAtTheEndFails() {
        fill("a");
        map.remove("a", 1);
        map.iterator().next();
    }

    @Test
    public void sizeCountsValues() {
        fill("a", "a", "b");
        assertEquals(3, map.size());
        assertTrue(map.remove("a", 2));
        assertFalse(map.remove("x", 2));
        assertEquals(2, map.size());
    }

    @Test
    public void indexOfTags() {
        TagIndex index = new TagIndex();
        index.tag("one.txt", "red", "big");
        index.tag("two.txt", "big");
        index.untag("two.txt", "big");
        assertEquals(Collections.singletonList("one.txt"), index.tagged("big"));
        assertEquals(Arrays.asList("one.txt", "one.txt"), index.all());
    }
}
