package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.KeyWalk;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one list in progress: of the flow itself, of one iteration or of a taken branch. Every change costs as much as the
 * step has neighbours, whatever the size of the list.
 */
public final class ScopeState extends Frame {
    private static final int NO_ITERATION = -1;

    /**
     * An early end that is no failure.
     *
     * @param order where the step stands in the flow that asked for it
     */
    public record Stop(List<Integer> order, JsonValue result) {}

    private final Graph graph;
    private final @Nullable ScopeState parent;
    private final int container;
    private final String path;
    private final @Nullable LoopState loop;
    private final int iteration;
    private final @Nullable SubFlowScope subFlow;

    private final @Nullable StepState[] states;
    private final int[] unmet;
    private final int[] readers;
    private final Map<Integer, Integer> resets = new HashMap<>();
    private final Map<Integer, Retry> retries = new HashMap<>();
    private int remaining;
    private boolean failed;
    private @Nullable Failure failureAtEnd;
    private @Nullable Stop stop;
    private int containersOpen;
    private long weight;
    private long storableWeight;

    private ScopeState(
            Graph graph,
            @Nullable Frame outer,
            boolean tolerant,
            @Nullable ScopeState parent,
            int container,
            String path,
            @Nullable LoopState loop,
            int iteration,
            @Nullable SubFlowScope subFlow) {
        super(outer, tolerant);
        this.graph = graph;
        this.parent = parent;
        this.container = container;
        this.path = path;
        this.loop = loop;
        this.iteration = iteration;
        this.subFlow = subFlow;
        int size = graph.nodes().size();
        this.states = new @Nullable StepState[graph.places()];
        this.unmet = new int[size];
        this.readers = new int[graph.places()];
        this.remaining = size;
        this.weight = Weights.SCOPE + Weights.NODE * graph.places();
        for (int i = 0; i < size; i++) {
            unmet[i] = graph.node(i).needs();
        }
        for (int i = 0; i < readers.length; i++) {
            readers[i] = graph.readers(i);
        }
    }

    static ScopeState ofFlow(Graph graph, SubFlowScope flow) {
        return new ScopeState(graph, null, true, null, 0, "", null, NO_ITERATION, flow);
    }

    /** The steps that run once the flow has failed. */
    static ScopeState onFailure(Graph graph, ScopeState root) {
        return new ScopeState(
                graph, null, true, root, root.graph.nodes().size(), StepKey.FAILURE.text(), null, NO_ITERATION, null);
    }

    static ScopeState iteration(ScopeState parent, int container, LoopState loop, int iteration) {
        return new ScopeState(
                loop.fan().graph(iteration),
                loop,
                loop.fan().skipsFailure(iteration, loop.item(iteration)),
                parent,
                container,
                loop.key(iteration).text(),
                loop,
                iteration,
                null);
    }

    static ScopeState branch(
            ScopeState parent, int container, BranchState branch, Graph graph, @Nullable SubFlowScope subFlow) {
        return new ScopeState(
                graph, branch, false, parent, container, parent.key(container).text(), null, NO_ITERATION, subFlow);
    }

    public Graph graph() {
        return graph;
    }

    /** The scope around this one; null for the flow itself. */
    public @Nullable ScopeState parent() {
        return parent;
    }

    /** Position of the container in the parent. */
    public int container() {
        return container;
    }

    /** The loop or parallel step of which it is an iteration or a branch; null for others. */
    public @Nullable LoopState loop() {
        return loop;
    }

    /** Whether it is an iteration of a loop, and not a branch of a parallel step. */
    public boolean isIteration() {
        return loop != null && loop.fan().isLoop();
    }

    /** What the iteration works on. */
    public JsonValue item() {
        return loop == null ? JsonValue.NULL : loop.item(iteration);
    }

    public int iteration() {
        return iteration;
    }

    /** What all steps of the flow see alike; null inside of it. */
    public @Nullable SubFlowScope subFlow() {
        return subFlow;
    }

    /** The innermost iteration around it, or it itself; the outermost list of its flow where there is none. */
    public ScopeState iterationAround() {
        ScopeState level = this;
        while (level.subFlow == null && !level.isIteration() && level.parent != null && level.outer() != null) {
            level = level.parent;
        }
        return level;
    }

    /** The innermost iteration or branch of a parallel step around it, or it itself; the outermost list of its flow where there is none. */
    public ScopeState branchAround() {
        ScopeState level = this;
        while (level.subFlow == null && level.loop == null && level.parent != null && level.outer() != null) {
            level = level.parent;
        }
        return level;
    }

    /** Whether the results of its steps can be read from outside once it has ended. */
    boolean isTransparent() {
        return parent != null && subFlow == null && !isIteration() && !path.equals(StepKey.FAILURE.text());
    }

    @Override
    boolean isAttached() {
        return loop == null || !loop.hasEnded(iteration);
    }

    /** The key of the iteration or branch itself. */
    public StepKey key() {
        return new StepKey(path);
    }

    public StepKey key(int step) {
        if (graph.single()) {
            return new StepKey(path);
        }
        String id = graph.node(step).id();
        return new StepKey(path.isEmpty() ? id : path + "." + id);
    }

    /** The state of a node or a slot. */
    public @Nullable StepState state(int place) {
        return states[place];
    }

    /** The result at a place that expressions may read; null where there is none. What is inside of a step can be read once that has ended, or the list. */
    public @Nullable JsonValue result(int place) {
        if (graph.isSlot(place)
                && !isEnding()
                && !(states[graph.slotAt(place).container()] instanceof StepState.Ended)) {
            return null;
        }
        return states[place] instanceof StepState.Ended ended ? ended.result() : null;
    }

    /** Steps that must still end before this one begins. */
    public int unmet(int step) {
        return unmet[step];
    }

    /** Whether every step has ended well. */
    public boolean isComplete() {
        return remaining == 0 && !failed;
    }

    /** Whether nothing has begun in it. */
    boolean isUntouched() {
        for (StepState state : states) {
            if (state != null) {
                return false;
            }
        }
        return resets.isEmpty() && retries.isEmpty();
    }

    /** Undoes the beginning of an iteration in which nothing has begun. */
    public void forgetUntouched() {
        if (loop != null && isUntouched()) {
            loop.forget(iteration);
        }
    }

    /** Whether it has come to an end that leaves no row. */
    boolean endsImplicitly() {
        return isComplete() && failureAtEnd == null && !isEnding() && graph.endsImplicitly();
    }

    /** How often a step began again. */
    public int resets(int step) {
        return resets.getOrDefault(step, 0);
    }

    void countResets(int step, int times) {
        resets.put(step, times);
    }

    /** The further attempt that a task with others around it is at; empty in its first. */
    public Optional<Retry> retry(int step) {
        return Optional.ofNullable(retries.get(step));
    }

    public void retry(int step, Retry next) {
        Retry before = retries.put(step, next);
        weight += Weights.of(next.error()) - (before == null ? 0 : Weights.of(before.error()));
    }

    /** A failure that the list fails with at its end. */
    public @Nullable Failure failureAtEnd() {
        return failureAtEnd;
    }

    void failAtEnd(Failure failure) {
        failureAtEnd = failureAtEnd == null || failureAtEnd.compareTo(failure) > 0 ? failure : failureAtEnd;
    }

    public @Nullable Stop stop() {
        return stop;
    }

    void stop(Stop other) {
        if (stop == null || KeyWalk.compare(other.order(), stop.order()) < 0) {
            stop = other;
        }
    }

    @Override
    public boolean isEnding() {
        return super.isEnding() || stop != null;
    }

    /** A job of the step, or the wait before it, is in the queue. */
    void start(int step, StepState.Live live) {
        set(step, live);
        if (live == StepState.Live.LIVE && graph.node(step).readsOnlyAtItsBegin()) {
            releaseUses(step);
        }
    }

    /** The wait before the step has ended. */
    void endDelay(int step) {
        set(step, null);
    }

    void open(int step, StepState.Container container) {
        set(step, container);
    }

    /**
     * Ends a step; its result is kept only if something may read it. A failure that is not tolerated has none. What its conditions to stop read
     * stays until {@link #decideStops}.
     */
    void end(int step, @Nullable JsonValue result) {
        boolean hasRead =
                states[step] == StepState.Live.LIVE && graph.node(step).readsOnlyAtItsBegin();
        keep(step, result);
        failed |= result == null;
        remaining--;
        for (int successor : graph.node(step).successors()) {
            unmet[successor]--;
        }
        if (!hasRead && graph.node(step).policy().stops().isEmpty()) {
            releaseUses(step);
        }
    }

    /** The conditions to stop after a step that has ended are decided, and read nothing any more. */
    public void decideStops(int step) {
        if (!graph.node(step).policy().stops().isEmpty()) {
            releaseUses(step);
        }
    }

    /** Takes over the result of a step inside a branch. */
    private void fill(int slot, @Nullable JsonValue result) {
        keep(slot, result);
    }

    /** Lets the result of a step be read around the branches that it stands in. */
    void leave(String id, @Nullable JsonValue result) {
        ScopeState level = this;
        while (true) {
            Integer slot = level.graph.slot(id);
            if (slot != null && !level.graph.byId().containsKey(id)) {
                level.fill(slot, result);
            }
            if (!level.isTransparent() || level.parent == null) {
                return;
            }
            level = level.parent;
        }
    }

    private void keep(int place, @Nullable JsonValue result) {
        JsonValue kept = readers[place] > 0 ? result : null;
        set(place, new StepState.Ended(kept));
        if (kept != null) {
            weight += Weights.of(kept);
            storableWeight += Weights.ofStorable(kept);
        }
    }

    /** Lets a step begin again. */
    void reset(int step, int times) {
        set(step, null);
        resets.put(step, times);
        Set<String> inside = new HashSet<>();
        graph.node(step).work().openLists().forEach(branch -> branch.collectIds(inside));
        emptySlots(inside);
        for (ScopeState inner = this; inner.isTransparent() && inner.parent != null; inner = inner.parent) {
            inner.parent.emptySlots(inside);
        }
    }

    /** Forgets results that came out of branches. */
    private void emptySlots(Set<String> ids) {
        for (int place = graph.nodes().size(); place < graph.places(); place++) {
            if (ids.contains(graph.slotAt(place).id())) {
                letGo(place);
                set(place, null);
            }
        }
    }

    /** Lets go of the results that only this step read: a task has read them once it starts, a container once it ends. */
    private void releaseUses(int step) {
        for (int used : graph.node(step).uses()) {
            if (--readers[used] == 0 && letGo(used)) {
                set(used, new StepState.Ended(null));
            }
        }
    }

    private void set(int place, @Nullable StepState state) {
        containersOpen +=
                (state instanceof StepState.Container ? 1 : 0) - (states[place] instanceof StepState.Container ? 1 : 0);
        states[place] = state;
    }

    private boolean letGo(int place) {
        if (states[place] instanceof StepState.Ended ended && ended.result() != null) {
            weight -= Weights.of(ended.result());
            storableWeight -= Weights.ofStorable(ended.result());
            return true;
        }
        return false;
    }

    /** Containers in progress, by position. */
    public List<Integer> openContainers() {
        List<Integer> open = new ArrayList<>();
        for (int step = 0; open.size() < containersOpen; step++) {
            if (states[step] instanceof StepState.Container) {
                open.add(step);
            }
        }
        return open;
    }

    /** Rough bytes of this scope and all inside. */
    long weight() {
        long total = weight + (subFlow == null ? 0 : subFlow.weight());
        for (int step : openContainers()) {
            total += states[step] instanceof StepState.Container inner ? inner.weight() : 0;
        }
        return total;
    }

    /** Of the weight: what would stay in the history if the state were folded anew. */
    long storableWeight() {
        long total = storableWeight;
        for (int step : openContainers()) {
            total += states[step] instanceof StepState.Container inner ? inner.storableWeight() : 0;
        }
        return total;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScopeState that
                && path.equals(that.path)
                && remaining == that.remaining
                && failed == that.failed
                && weight == that.weight
                && live() == that.live()
                && Objects.equals(failure(), that.failure())
                && Objects.equals(failureAtEnd, that.failureAtEnd)
                && Objects.equals(stop, that.stop)
                && Objects.equals(subFlow, that.subFlow)
                && resets.equals(that.resets)
                && retries.equals(that.retries)
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
        return "Scope[" + path + ", remaining " + remaining + ", live " + live() + ", " + failure() + ", at end "
                + failureAtEnd + ", " + stop + ", weight " + weight + ", " + Arrays.toString(states) + ", unmet "
                + Arrays.toString(unmet) + ", readers " + Arrays.toString(readers) + ", resets " + resets + ", retries "
                + retries + "]";
    }
}
