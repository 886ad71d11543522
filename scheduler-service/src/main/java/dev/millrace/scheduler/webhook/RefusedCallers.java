package dev.millrace.scheduler.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.millrace.scheduler.access.AddressGroup;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls without a right secret, so that strangers cannot keep the database busy. Thread-safe, and of this
 * scheduler alone.
 *
 * <p>The low limit is of one hook: many installations share the addresses of a sender such as GitHub, and a stranger who
 * lets that sender call other hooks must not silence those that it serves well. Whether a hook exists changes nothing.
 */
final class RefusedCallers {
    /** Most refused calls of one hook from one address in {@link #PERIOD}. */
    static final int REFUSALS_MAX = 30;
    /** Most refused calls of all hooks from one address in {@link #PERIOD}. */
    static final int REFUSALS_OF_ALL_MAX = 600;

    static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int COUNTS_MAX = 10_000;

    private final Cache<String, AtomicInteger> ofAll;
    private final Cache<Caller, AtomicInteger> ofOne;

    /** @param hook workspace and path, as the caller wrote them */
    private record Caller(String address, String hook) {}

    RefusedCallers(Ticker ticker) {
        ofAll = counts(ticker);
        ofOne = counts(ticker);
    }

    private static <K> Cache<K, AtomicInteger> counts(Ticker ticker) {
        return Caffeine.newBuilder()
                .expireAfterWrite(PERIOD)
                .maximumSize(COUNTS_MAX)
                .ticker(ticker)
                .build();
    }

    /** Whether too many calls of the hook, or of all, from the address were refused of late. */
    boolean areTooMany(String address, String hook) {
        String group = AddressGroup.of(address);
        return has(ofAll.getIfPresent(group), REFUSALS_OF_ALL_MAX)
                || has(ofOne.getIfPresent(new Caller(group, hook)), REFUSALS_MAX);
    }

    private static boolean has(@Nullable AtomicInteger count, int max) {
        return count != null && count.get() >= max;
    }

    void count(String address, String hook) {
        String group = AddressGroup.of(address);
        ofAll.get(group, _ -> new AtomicInteger()).incrementAndGet();
        ofOne.get(new Caller(group, hook), _ -> new AtomicInteger()).incrementAndGet();
    }
}
