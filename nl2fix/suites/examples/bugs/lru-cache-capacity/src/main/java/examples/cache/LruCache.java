package examples.cache;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A map of bounded size that forgets the entry that was not used for the longest time. */
public class LruCache<K, V> {

    private final int capacity;
    private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final CacheStats stats = new CacheStats();
    private EvictionListener<? super K, ? super V> listener = (key, value) -> { };

    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive, not " + capacity);
        }
        this.capacity = capacity;
    }

    public void onEviction(EvictionListener<? super K, ? super V> newListener) {
        this.listener = newListener;
    }

    /** The value of a key, or null; counts as a use of the entry. */
    public V get(K key) {
        V value = entries.get(key);
        if (value == null) {
            stats.miss();
        } else {
            stats.hit();
        }
        return value;
    }

    /** Stores a value and evicts the eldest entries for which there is no room. */
    public V put(K key, V value) {
        V previous = entries.put(key, value);
        while (entries.size() >= capacity) {
            Iterator<Map.Entry<K, V>> eldest = entries.entrySet().iterator();
            Map.Entry<K, V> entry = eldest.next();
            eldest.remove();
            listener.evicted(entry.getKey(), entry.getValue());
        }
        return previous;
    }

    public int size() {
        return entries.size();
    }

    public CacheStats stats() {
        return stats;
    }
}
