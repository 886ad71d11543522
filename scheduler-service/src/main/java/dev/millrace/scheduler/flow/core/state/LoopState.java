package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.LoopSoFar;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.Fan;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.WhileWork;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A loop or a parallel step in progress: its active iterations or branches, and the results of those that have ended.
 */
public final class LoopState extends Frame implements StepState.Container {
    /** Estimated size of the entries for an item and its result, in bytes. */
    private static final int PLACE_WEIGHT = 48;

    private static final int RESULTS_INITIAL = 16;

    private final ScopeState scope;
    private final int step;
    private final Fan fan;
    private final int parallelism;
    private final int bytesMax;
    private final List<JsonValue> items;
    private final int itemsLength;
    private final Map<Integer, ScopeState> active = new HashMap<>();
    private final BitSet ended = new BitSet();
    private @Nullable JsonValue[] results;
    private int trimmed;
    private int next;
    private int done;
    private long resultLength;
    private long resultWeight;
    private long storableWeight;
    private boolean broken;

    /**
     * Creates a loop.
     *
     * @param items items of a loop over items; empty for other containers
     * @param parallelism maximum number of iterations in progress
     * @param bytesMax maximum size of all results together, in bytes
     */
    LoopState(ScopeState scope, int step, Fan fan, JsonValue items, int parallelism, int bytesMax) {
        super(scope, scope.graph().node(step).isTolerant());
        this.scope = scope;
        this.step = step;
        this.fan = fan;
        this.parallelism = parallelism;
        this.bytesMax = bytesMax;
        this.items = fan.hasItems() ? items.elements() : List.of();
        this.itemsLength = items.length();
        this.results = new @Nullable JsonValue[RESULTS_INITIAL];
    }

    /** The list that contains the loop. */
    public ScopeState scope() {
        return scope;
    }

    /** Position of the loop in that list. */
    public int step() {
        return step;
    }

    public Fan fan() {
        return fan;
    }

    /** Maximum number of iterations in progress. */
    public int parallelism() {
        return parallelism;
    }

    /** Maximum number of iterations. */
    public int size() {
        return fan.size(items);
    }

    /** Returns the key of an iteration, whether or not the iteration exists. */
    public StepKey key(int iteration) {
        return new StepKey(scope.key(step).text() + "[" + iteration + "]");
    }

    /** Returns the item that an iteration can read. */
    JsonValue item(int iteration) {
        return fan.item(iteration, items, iteration == 0 ? null : result(iteration - 1));
    }

    /** Number of the first iteration that has not begun. */
    public int next() {
        return next;
    }

    /** Number of iterations that have ended. */
    public int done() {
        return done;
    }

    /** Returns whether no further iteration begins. */
    public boolean isBroken() {
        return broken;
    }

    void breakOff() {
        broken = true;
    }

    /** Returns whether the results together exceed the size limit of a value. */
    boolean overflows() {
        return resultLength > bytesMax;
    }

    /** Length of the kept results, in characters; of stored results, their bytes in the database. */
    public long resultLength() {
        return resultLength;
    }

    @Override
    public boolean isEnding() {
        return super.isEnding() || overflows();
    }

    @Override
    boolean isAttached() {
        return is(scope.state(step));
    }

    public @Nullable JsonValue result(int iteration) {
        return iteration < results.length ? results[iteration] : null;
    }

    /** Number of the first iteration whose result is part of the loop's result. */
    public int firstKept() {
        return fan.options().keepLast().isPresent()
                ? Math.max(0, done - fan.options().keepLast().getAsInt())
                : 0;
    }

    public boolean hasEnded(int iteration) {
        return ended.get(iteration);
    }

    /** Returns whether steps may read the results of the loop while it is in progress. */
    public boolean isSeen() {
        return fan.hasItems() && size() <= FlowLimits.SEEN_LOOP_ITEMS_MAX && mayBegin();
    }

    /** Returns the items and the results so far. */
    public LoopSoFar soFar() {
        Map<Integer, JsonValue> soFar = new HashMap<>();
        ended.stream().forEach(iteration -> {
            JsonValue result = result(iteration);
            soFar.put(iteration, result == null ? JsonValue.NULL : result);
        });
        return new LoopSoFar(items, soFar);
    }

    /** Returns whether the loop may be between two iterations without having decided whether to continue. */
    public boolean mayBeUndecided() {
        boolean decides = fan instanceof WhileWork || fan.options().breakIf().isPresent();
        return decides && fan.parallelism() == 1 && !broken && active.isEmpty() && next > 0 && hasEnded(next - 1);
    }

    public @Nullable ScopeState find(int iteration) {
        return active.get(iteration);
    }

    public Collection<ScopeState> active() {
        return active.values();
    }

    /** Creates the scope of an iteration without adding it to the loop. */
    public ScopeState newIteration(int iteration) {
        return ScopeState.iteration(scope, step, this, iteration);
    }

    /** Adds an iteration to the loop. */
    void begin(ScopeState iteration) {
        active.put(iteration.iteration(), iteration);
        next = Math.max(next, iteration.iteration() + 1);
    }

    void end(int iteration, JsonValue result) {
        active.remove(iteration);
        next = Math.max(next, iteration + 1);
        ended.set(iteration);
        done++;
        if (iteration >= trimmed) {
            if (iteration >= results.length) {
                results = Arrays.copyOf(results, Math.max(iteration + 1, results.length * 2));
            }
            results[iteration] = result;
            count(result, 1);
        }
        trim();
    }

    private void count(JsonValue result, int sign) {
        resultLength += sign * (long) Math.max(result.storedBytes(), Weights.lengthInMemory(result));
        resultWeight += sign * Weights.CHAR * Weights.lengthInMemory(result);
        storableWeight += sign * Weights.ofStorable(result);
    }

    /** Removes a failed iteration, which leaves no result because the loop fails with it. */
    void abandon(int iteration) {
        active.remove(iteration);
        next = Math.max(next, iteration + 1);
        ended.set(iteration);
    }

    /** Undoes the beginning of an iteration. */
    void forget(int iteration) {
        active.remove(iteration);
        while (next > 0 && !active.containsKey(next - 1) && !ended.get(next - 1)) {
            next--;
        }
    }

    /**
     * Drops results that are neither kept nor the item of a later iteration. Only ended iterations count, because the
     * beginning of an iteration can be undone.
     */
    private void trim() {
        if (fan.options().keepLast().isEmpty()) {
            return;
        }
        int first = done - fan.options().keepLast().getAsInt() - 1;
        for (; trimmed < first; trimmed++) {
            JsonValue dropped = result(trimmed);
            if (dropped != null) {
                count(dropped, -1);
                results[trimmed] = null;
            }
        }
    }

    @Override
    public long weight() {
        long weight = Weights.CHAR * itemsLength + resultWeight + (long) PLACE_WEIGHT * (items.size() + done);
        for (ScopeState iteration : active.values()) {
            weight += iteration.weight();
        }
        return weight;
    }

    @Override
    public long storableWeight() {
        long total = storableWeight;
        for (ScopeState iteration : active.values()) {
            total += iteration.storableWeight();
        }
        return total;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LoopState that
                && items.equals(that.items)
                && parallelism == that.parallelism
                && next == that.next
                && done == that.done
                && broken == that.broken
                && live() == that.live()
                && Objects.equals(failure(), that.failure())
                && resultLength == that.resultLength
                && ended.equals(that.ended)
                && active.equals(that.active)
                && sameResults(that);
    }

    private boolean sameResults(LoopState that) {
        for (int i = 0; i < next; i++) {
            if (!Objects.equals(result(i), that.result(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return Objects.hash(items, next, done);
    }

    @Override
    public String toString() {
        return "Loop[" + done + " of " + size() + ", next " + next + ", live " + live() + ", " + failure() + ", broken "
                + broken + ", ended " + ended + ", active " + active + "]";
    }
}
