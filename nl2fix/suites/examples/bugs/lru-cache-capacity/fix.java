    public V put(K key, V value) {
        V previous = entries.put(key, value);
        while (entries.size() > capacity) {
            Iterator<Map.Entry<K, V>> eldest = entries.entrySet().iterator();
            Map.Entry<K, V> entry = eldest.next();
            eldest.remove();
            listener.evicted(entry.getKey(), entry.getValue());
        }
        return previous;
    }
