package dev.millrace.scheduler.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Finds numbers whose exponent is too large to calculate with: written out, {@code 1e999999999} has a billion digits.
 */
final class NumberSize {
    /** Largest absolute value of an exponent. */
    static final int EXPONENT_MAX = 1_000;

    private NumberSize() {}

    /** The first such number in a value, as written. */
    static Optional<String> findTooLarge(JsonNode value) {
        Deque<JsonNode> toVisit = new ArrayDeque<>();
        toVisit.add(value);
        while (!toVisit.isEmpty()) {
            JsonNode next = toVisit.removeLast();
            if (next.isDouble() && !Double.isFinite(next.doubleValue())) {
                return Optional.of(next.toString());
            }
            if (next.isFloatingPointNumber()
                    && Math.abs((long) next.decimalValue().scale()) > EXPONENT_MAX) {
                return Optional.of(next.decimalValue().toString());
            }
            next.forEach(toVisit::add);
        }
        return Optional.empty();
    }
}
