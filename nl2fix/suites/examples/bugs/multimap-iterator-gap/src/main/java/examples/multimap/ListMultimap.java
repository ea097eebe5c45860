package examples.multimap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** A map with several values per key, iterated over in the order in which keys came first. */
public class ListMultimap<K, V> implements Iterable<V> {

    private final Map<K, List<V>> lists = new LinkedHashMap<>();
    private int size;

    public void put(K key, V value) {
        lists.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
        size++;
    }

    /** Removes one value of a key; the key keeps its place in the order. */
    public boolean remove(K key, V value) {
        boolean removed = lists.getOrDefault(key, Collections.emptyList()).remove(value);
        if (removed) {
            size--;
        }
        return removed;
    }

    public List<V> get(K key) {
        return Collections.unmodifiableList(lists.getOrDefault(key, Collections.emptyList()));
    }

    public int size() {
        return size;
    }

    public List<V> values() {
        List<V> all = new ArrayList<>();
        for (V value : this) {
            all.add(value);
        }
        return all;
    }

    @Override
    public Iterator<V> iterator() {
        return new ValueIterator();
    }

    private class ValueIterator implements Iterator<V> {

        private final Iterator<List<V>> remaining = lists.values().iterator();
        private Iterator<V> current = Collections.emptyIterator();

        @Override
        public boolean hasNext() {
            if (!current.hasNext() && remaining.hasNext()) {
                current = remaining.next().iterator();
            }
            return current.hasNext();
        }

        @Override
        public V next() {
            if (!hasNext()) {
                throw new NoSuchElementException("no more values");
            }
            return current.next();
        }
    }
}
