package dev.millrace.scheduler.expression;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A loop over items that goes on.
 *
 * @param items all of them
 * @param ended the results of the iterations that have ended, by their numbers
 */
public record LoopSoFar(List<JsonValue> items, Map<Integer, JsonValue> ended) {
    public LoopSoFar {
        items = List.copyOf(items);
        ended = Collections.unmodifiableMap(new TreeMap<>(ended));
    }
}
