package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A loop in progress: its items, the iterations in progress, and the results of those that have ended. */
final class LoopState implements StepState.Container {
    /** Rough bytes of an item's and a result's place. */
    private static final int PLACE_WEIGHT = 48;

    private final List<JsonValue> items;
    private final int itemsLength;
    private final Map<Integer, ScopeState> active = new HashMap<>();
    private final @Nullable JsonValue[] results;
    private int next;
    private int done;
    private long resultLength;

    LoopState(JsonValue items) {
        this.items = items.elements();
        this.itemsLength = items.length();
        this.results = new @Nullable JsonValue[this.items.size()];
    }

    int size() {
        return items.size();
    }

    JsonValue item(int iteration) {
        return items.get(iteration);
    }

    /** The first iteration that has not begun. */
    int next() {
        return next;
    }

    /** Iterations that have ended. */
    int done() {
        return done;
    }

    /** Characters of all results so far. */
    long resultLength() {
        return resultLength;
    }

    @Nullable JsonValue result(int iteration) {
        return results[iteration];
    }

    boolean hasEnded(int iteration) {
        return results[iteration] != null;
    }

    @Nullable ScopeState find(int iteration) {
        return active.get(iteration);
    }

    void begin(ScopeState iteration) {
        active.put(iteration.iteration(), iteration);
        next = Math.max(next, iteration.iteration() + 1);
    }

    void end(int iteration, JsonValue result) {
        active.remove(iteration);
        results[iteration] = result;
        done++;
        resultLength += result.length();
    }

    @Override
    public long weight() {
        long weight = ownWeight() + Weights.CHAR * resultLength;
        for (ScopeState scope : active.values()) {
            weight += scope.weight();
        }
        return weight;
    }

    /** Rough bytes of the loop without its results and iterations. */
    long ownWeight() {
        return Weights.CHAR * itemsLength + (long) PLACE_WEIGHT * items.size();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LoopState that
                && items.equals(that.items)
                && next == that.next
                && done == that.done
                && resultLength == that.resultLength
                && active.equals(that.active)
                && Arrays.equals(results, that.results);
    }

    @Override
    public int hashCode() {
        return Objects.hash(items, next, done);
    }

    @Override
    public String toString() {
        return "Loop[" + done + " of " + items.size() + ", next " + next + ", active " + active + "]";
    }
}
