package dev.millrace.scheduler.trigger;

import dev.millrace.metrics.Metrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** A gauge of what cannot listen in this scheduler, because brokers or databases cannot be reached. Thread-safe. */
public final class ListenTroubles {
    /** How long a failure counts. Listeners that fail try again, and fail again, in less time. */
    private static final Duration RECENT = Duration.ofMinutes(1);

    private final Map<UUID, Trouble> troubles = new ConcurrentHashMap<>();

    private record Trouble(String kind, long nanos) {
        boolean isRecent(long now) {
            return now - nanos < RECENT.toNanos();
        }
    }

    public ListenTroubles(Metrics metrics) {
        metrics.gauges(
                "millrace_trigger_listeners_failing",
                "Triggers and event handlers that could not listen within the last minute; the largest of all schedulers counts",
                List.of("kind"),
                points -> count(System.nanoTime()).forEach((kind, number) -> points.add(number, kind)));
    }

    private Map<String, Long> count(long now) {
        Map<String, Long> numbers = new TreeMap<>();
        troubles.values().removeIf(trouble -> !trouble.isRecent(now));
        for (TriggerKind kind : List.of(TriggerKind.KAFKA, TriggerKind.MQTT, TriggerKind.POSTGRES)) {
            numbers.put(kind.text(), 0L);
        }
        troubles.values().forEach(trouble -> numbers.merge(trouble.kind(), 1L, Long::sum));
        return numbers;
    }

    /** Notes that something could not listen now. */
    void failed(UUID id, String kind) {
        troubles.put(id, new Trouble(kind, System.nanoTime()));
    }

    /** Forgets something that is not to be listened for any more. */
    void ended(UUID id) {
        troubles.remove(id);
    }
}
