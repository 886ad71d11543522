package dev.millrace.scheduler.webhook;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.scheduler.trigger.TriggerId;
import java.time.Duration;

/**
 * Decides which refused calls are noted in the history of their webhook: one per {@link #PERIOD} and webhook, since
 * strangers must not be able to fill the history. Thread-safe.
 */
final class RefusalNotes {
    static final Duration PERIOD = Duration.ofSeconds(10);
    private static final int WEBHOOKS_MAX = 10_000;

    private final Cache<TriggerId, Boolean> noted = Caffeine.newBuilder()
            .expireAfterWrite(PERIOD)
            .maximumSize(WEBHOOKS_MAX)
            .build();

    boolean isWanted(TriggerId webhook) {
        return noted.asMap().putIfAbsent(webhook, true) == null;
    }
}
