package dev.millrace.scheduler.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts tokens that were not found, by address, so that nobody keeps the database busy with made-up tokens. Texts that
 * are no tokens do not count, and neither do tokens that memory knows, whether they work or not. So people behind one
 * address are not locked out by a program that shows the same old token again and again, nor by one that makes up
 * tokens: a token that the database has is looked up, unless it is newer than a minute.
 */
final class FailedLogins {
    /** Most unknown tokens from one address in {@link #PERIOD}. */
    private static final int FAILURES_MAX = 10;

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int ADDRESSES_MAX = 10_000;

    private final Cache<String, AtomicInteger> counts = Caffeine.newBuilder()
            .expireAfterWrite(PERIOD)
            .maximumSize(ADDRESSES_MAX)
            .build();

    /**
     * Fails if there were too many unknown tokens from the address.
     *
     * @param isKnown whether the token is none that somebody has made up; may wait
     */
    void requireFew(String address, BooleanSupplier isKnown) {
        @Nullable AtomicInteger count = counts.getIfPresent(AddressGroup.of(address));
        if (count != null && count.get() >= FAILURES_MAX && !isKnown.getAsBoolean()) {
            throw MillraceException.overloaded(
                    "There were " + FAILURES_MAX + " unknown tokens from " + address
                            + " within a minute: try again in a minute, with a token that is known.",
                    PERIOD);
        }
    }

    void count(String address) {
        counts.get(AddressGroup.of(address), _ -> new AtomicInteger()).incrementAndGet();
    }
}
