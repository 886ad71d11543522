package dev.millrace.scheduler.expression;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A loop over items that has not ended.
 *
 * @param items all items
 * @param ended results of the iterations that have ended, by index
 */
public record LoopSoFar(List<JsonValue> items, Map<Integer, JsonValue> ended) {
    public LoopSoFar {
        items = List.copyOf(items);
        ended = Collections.unmodifiableMap(new TreeMap<>(ended));
    }
}
