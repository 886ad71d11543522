package dev.millrace.scheduler.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.scheduler.access.AddressGroup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls without a right secret by address, so that strangers cannot keep the database busy. Thread-safe, and of
 * this scheduler alone.
 */
final class RefusedCallers {
    /** Most refused calls from one address in {@link #PERIOD}. */
    static final int REFUSALS_MAX = 30;

    static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 10_000;

    private final Cache<String, AtomicInteger> counts = Caffeine.newBuilder()
            .expireAfterWrite(PERIOD)
            .maximumSize(ADDRESSES_MAX)
            .build();

    /** Whether too many calls from the address were refused of late. */
    boolean areTooMany(String address) {
        @Nullable AtomicInteger count = counts.getIfPresent(AddressGroup.of(address));
        return count != null && count.get() >= REFUSALS_MAX;
    }

    void count(String address) {
        counts.get(AddressGroup.of(address), _ -> new AtomicInteger()).incrementAndGet();
    }
}
