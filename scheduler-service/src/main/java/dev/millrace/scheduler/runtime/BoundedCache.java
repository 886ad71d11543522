package dev.millrace.scheduler.runtime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps the values used last, for keys whose value never changes. Thread-safe: the map is guarded by its monitor, which is not held
 * while a value is loaded, so that two threads may load the same value at once.
 */
public final class BoundedCache<K, V> {
    private final Map<K, V> entries;

    public BoundedCache(int entriesMax) {
        entries = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > entriesMax;
            }
        };
    }

    public Optional<V> find(K key) {
        synchronized (entries) {
            return Optional.ofNullable(entries.get(key));
        }
    }

    public void put(K key, V value) {
        synchronized (entries) {
            entries.put(key, value);
        }
    }

    /** The value, loaded on a miss; empty where the loader finds none, which is not remembered. */
    public Optional<V> find(K key, Function<K, Optional<V>> loader) {
        Optional<V> present = find(key);
        if (present.isPresent()) {
            return present;
        }
        Optional<V> loaded = loader.apply(key);
        loaded.ifPresent(value -> put(key, value));
        return loaded;
    }
}
