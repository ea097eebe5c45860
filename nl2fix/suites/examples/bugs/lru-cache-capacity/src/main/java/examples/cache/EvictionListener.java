package examples.cache;

/** Told about entries that a cache drops to stay within its capacity. */
public interface EvictionListener<K, V> {

    void evicted(K key, V value);
}
