package dev.millrace.scheduler.identity.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.scheduler.access.AddressGroup;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts what one caller does, and refuses it once it is too much for one period. Thread-safe. */
final class Attempts {
    private static final int CALLERS_MAX = 10_000;

    private final String what;
    private final int max;
    private final Duration period;
    private final Cache<String, AtomicInteger> counts;

    /** @param what is counted, in the plural, for the refusal */
    Attempts(String what, int max, Duration period) {
        this.what = what;
        this.max = max;
        this.period = period;
        this.counts = Caffeine.newBuilder()
                .expireAfterWrite(period)
                .maximumSize(CALLERS_MAX)
                .build();
    }

    /** Fails if the caller has made too many already. */
    void requireFew(String caller) {
        @Nullable AtomicInteger count = counts.getIfPresent(AddressGroup.of(caller));
        if (count != null && count.get() >= max) {
            throw MillraceException.overloaded(
                    "There were " + max + " " + what + " from " + caller + " within " + period.toSeconds()
                            + " s: try again after that time.",
                    period);
        }
    }

    void count(String caller) {
        counts.get(AddressGroup.of(caller), _ -> new AtomicInteger()).incrementAndGet();
    }

    /** Counts one more, and fails if it is one too many. */
    void countOrRefuse(String caller) {
        requireFew(caller);
        count(caller);
    }
}
