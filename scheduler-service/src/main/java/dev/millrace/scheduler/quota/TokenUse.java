package dev.millrace.scheduler.quota;

import dev.millrace.scheduler.quota.core.Refusal;
import dev.millrace.scheduler.quota.core.TokenBucket;
import java.time.Duration;
import java.util.Optional;

/** What is submitted under one token. Thread-safe. */
final class TokenUse {
    private final TokenBucket submits = new TokenBucket();

    /** Why no run may be submitted now; empty if one may. */
    synchronized Optional<Refusal> refuses(long max, long nowNanos) {
        long wait = submits.waitNanos(max, nowNanos);
        return wait == 0
                ? Optional.empty()
                : Optional.of(new Refusal(
                        "This token",
                        "submits_per_second_max",
                        max,
                        "submitted runs a second",
                        Duration.ofNanos(wait)));
    }

    synchronized void take(long runs, long max, long nowNanos) {
        submits.take(runs, max, nowNanos);
    }
}
