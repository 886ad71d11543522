package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.TaskOptions.Cache;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader and writer of {@code cache}: how long the result of a task or flow is cached, and under which key. */
final class CacheFields {
    static final String KEY = "cache";
    private static final List<String> KEYS = List.of("ttl", "key");

    private CacheFields() {}

    static Optional<Cache> read(StepParts parts, Fields owner) {
        if (!owner.has(KEY)) {
            return Optional.empty();
        }
        Fields fields = parts.object(owner, KEY, "a cache", KEYS);
        parts.require(
                fields, "ttl", "The cache has no ttl.", "Add ttl, how long a result is kept, for example ttl: 1h.");
        var key = parts.template(fields, "key");
        return fields.duration("ttl", Duration.ofMillis(1), FlowLimits.CACHE_TTL_MAX)
                .map(ttl -> new Cache(ttl, key));
    }

    static void write(Cache cache, ValuePrinter values, Map<String, Object> owner) {
        Map<String, Object> written = new LinkedHashMap<>();
        written.put("ttl", Durations.text(cache.ttl()));
        cache.key().ifPresent(key -> written.put("key", values.value(key)));
        owner.put(KEY, written);
    }
}
