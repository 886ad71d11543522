package dev.millrace.scheduler.runtime;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A {@link Cache} with a bound on its entries, for values that never change for their key.
 *
 * <p>Thread-safe. Entries are evicted on the caller's thread. No lock is held while a value is loaded, so two threads
 * may load the same value at once.
 */
public final class BoundedCache<K, V> {
    private final Cache<K, V> entries;

    public BoundedCache(int entriesMax) {
        entries = Caffeine.newBuilder()
                .maximumSize(entriesMax)
                .executor(Runnable::run)
                .build();
    }

    /** Forgets each value some time after it was put. */
    public BoundedCache(int entriesMax, Duration lifetime) {
        entries = Caffeine.newBuilder()
                .maximumSize(entriesMax)
                .expireAfterWrite(lifetime)
                .executor(Runnable::run)
                .build();
    }

    /** Forgets each value some time after it was put, and earlier if the weights of all values exceed a bound. */
    public BoundedCache(long weightMax, Duration lifetime, ToIntFunction<V> weight) {
        entries = Caffeine.newBuilder()
                .maximumWeight(weightMax)
                .weigher((K _, V value) -> weight.applyAsInt(value))
                .expireAfterWrite(lifetime)
                .executor(Runnable::run)
                .build();
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(entries.getIfPresent(key));
    }

    public void put(K key, V value) {
        entries.put(key, value);
    }

    /** Removes the value of a key, if there is one. */
    public void remove(K key) {
        entries.invalidate(key);
    }

    /** The value, loaded on a miss; empty if the loader finds none. A miss of the loader is not cached. */
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
