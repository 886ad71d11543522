package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.TaskOptions.Cache;
import dev.millrace.scheduler.flow.dialect.Fields;
import java.time.Duration;
import java.util.Optional;

/** Reader of {@code cache_ttl}: seconds for which a result is cached; 0 for none. */
final class Caches {
    private Caches() {}

    static Optional<Cache> find(Fields owner) {
        return owner.whole("cache_ttl", 0, (int) FlowLimits.CACHE_TTL_MAX.toSeconds())
                .filter(seconds -> seconds > 0)
                .map(seconds -> new Cache(Duration.ofSeconds(seconds), Optional.empty()));
    }
}
