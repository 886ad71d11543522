package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one list in progress: of the flow itself, of one iteration or of a taken branch. Every change costs as much as the
 * step has neighbours, whatever the size of the list.
 */
final class ScopeState {
    private static final int NO_ITERATION = -1;

    private final Graph graph;
    private final @Nullable ScopeState parent;
    private final int container;
    private final String path;
    private final int iteration;
    private final @Nullable JsonValue item;

    private final @Nullable StepState[] states;
    private final int[] unmet;
    private final int[] readers;
    private int remaining;
    private boolean failed;
    private long weight;

    private ScopeState(
            Graph graph,
            @Nullable ScopeState parent,
            int container,
            String path,
            int iteration,
            @Nullable JsonValue item) {
        this.graph = graph;
        this.parent = parent;
        this.container = container;
        this.path = path;
        this.iteration = iteration;
        this.item = item;
        int size = graph.nodes().size();
        this.states = new @Nullable StepState[size];
        this.unmet = new int[size];
        this.readers = new int[size];
        this.remaining = size;
        this.weight = Weights.SCOPE + Weights.NODE * size;
        for (int i = 0; i < size; i++) {
            unmet[i] = graph.node(i).needs();
            readers[i] = graph.node(i).readers();
        }
    }

    static ScopeState ofFlow(Graph graph) {
        return new ScopeState(graph, null, 0, "", NO_ITERATION, null);
    }

    /** The scope of one iteration of the loop at {@code container}. */
    ScopeState iteration(int container, Graph body, LoopState loop, int iteration) {
        String path = key(container).text() + "[" + iteration + "]";
        return new ScopeState(body, this, container, path, iteration, loop.item(iteration));
    }

    /** The scope of a branch of the switch at {@code container}. */
    ScopeState branch(int container, Graph branch) {
        return new ScopeState(branch, this, container, key(container).text(), NO_ITERATION, null);
    }

    Graph graph() {
        return graph;
    }

    /** The scope around this one; null for the flow itself. */
    @Nullable ScopeState parent() {
        return parent;
    }

    /** Position of the loop or switch in the parent. */
    int container() {
        return container;
    }

    boolean isIteration() {
        return iteration != NO_ITERATION;
    }

    int iteration() {
        return iteration;
    }

    @Nullable JsonValue item() {
        return item;
    }

    StepKey key(int step) {
        if (graph.single()) {
            return new StepKey(path);
        }
        String id = graph.node(step).id();
        return new StepKey(path.isEmpty() ? id : path + "." + id);
    }

    @Nullable StepState state(int step) {
        return states[step];
    }

    /** Steps that must still end before this one begins. */
    int unmet(int step) {
        return unmet[step];
    }

    /** Steps that have not ended. */
    int remaining() {
        return remaining;
    }

    /** Whether a step of this scope failed. */
    boolean failed() {
        return failed;
    }

    boolean isComplete() {
        return remaining == 0 && !failed;
    }

    void start(int step) {
        states[step] = StepState.Live.LIVE;
        releaseUses(step);
    }

    void open(int step, StepState.Container container) {
        states[step] = container;
    }

    /** Ends a step; its result is kept only where something may read it. */
    void end(int step, @Nullable JsonValue result) {
        StepState before = states[step];
        JsonValue kept = readers[step] > 0 ? result : null;
        states[step] = new StepState.Ended(kept);
        if (kept != null) {
            weight += Weights.of(kept);
        }
        failed |= result == null;
        remaining--;
        for (int successor : graph.node(step).successors()) {
            unmet[successor]--;
        }
        if (before != StepState.Live.LIVE) {
            releaseUses(step);
        }
    }

    /** Lets go of the results that only this step read: a task has read them once it starts, a container once it ends. */
    private void releaseUses(int step) {
        for (int used : graph.node(step).uses()) {
            if (--readers[used] == 0 && states[used] instanceof StepState.Ended ended && ended.result() != null) {
                weight -= Weights.of(ended.result());
                states[used] = new StepState.Ended(null);
            }
        }
    }

    /** Rough bytes of this scope and all inside. */
    long weight() {
        long total = weight;
        for (StepState state : states) {
            if (state instanceof StepState.Container inner) {
                total += inner.weight();
            }
        }
        return total;
    }

    /** Rough bytes of this scope without the containers inside; changes with every step. */
    long ownWeight() {
        return weight;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScopeState that
                && path.equals(that.path)
                && remaining == that.remaining
                && failed == that.failed
                && weight == that.weight
                && Objects.equals(item, that.item)
                && Arrays.equals(states, that.states)
                && Arrays.equals(unmet, that.unmet)
                && Arrays.equals(readers, that.readers);
    }

    @Override
    public int hashCode() {
        return path.hashCode();
    }

    @Override
    public String toString() {
        return "Scope[" + path + ", remaining " + remaining + ", " + Arrays.toString(states) + "]";
    }
}
