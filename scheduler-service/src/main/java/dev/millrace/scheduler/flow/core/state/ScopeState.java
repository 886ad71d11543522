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
 * A list of steps in progress: that of the flow itself, of an iteration, or of a taken branch. The cost of each change
 * depends on the number of the step's neighbors, not on the size of the list.
 */
public final class ScopeState extends Frame {
    private static final int NO_ITERATION = -1;

    /**
     * A successful early end.
     *
     * @param order position in the flow of the step that caused the end
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

    /** Creates the scope of the steps of {@code onFailure}. */
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

    /** The loop or parallel step that this scope is an iteration or branch of; null for other scopes. */
    public @Nullable LoopState loop() {
        return loop;
    }

    /** Returns whether the scope is an iteration of a loop, as opposed to a branch of a parallel step. */
    public boolean isIteration() {
        return loop != null && loop.fan().isLoop();
    }

    /** The item of the iteration; null for other scopes. */
    public JsonValue item() {
        return loop == null ? JsonValue.NULL : loop.item(iteration);
    }

    public int iteration() {
        return iteration;
    }

    /** What all steps of the flow share, if this is its outermost list; null for inner lists. */
    public @Nullable SubFlowScope subFlow() {
        return subFlow;
    }

    /**
     * Returns the innermost iteration that is or contains this scope; the outermost list of the flow if there is none.
     */
    public ScopeState iterationAround() {
        ScopeState level = this;
        while (level.subFlow == null && !level.isIteration() && level.parent != null && level.outer() != null) {
            level = level.parent;
        }
        return level;
    }

    /**
     * Returns the innermost iteration or parallel branch that is or contains this scope; the outermost list of the flow
     * if there is none.
     */
    public ScopeState branchAround() {
        ScopeState level = this;
        while (level.subFlow == null && level.loop == null && level.parent != null && level.outer() != null) {
            level = level.parent;
        }
        return level;
    }

    /** Returns whether results of its steps can be read from outside after the scope has ended. */
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

    /** The state of a node or a slot; null before it begins. */
    public @Nullable StepState state(int place) {
        return states[place];
    }

    /**
     * Returns the result that expressions may read at a place; null if there is none. The result of an inner step is
     * readable after its container, or this list, has ended.
     */
    public @Nullable JsonValue result(int place) {
        return !isHidden(place) && states[place] instanceof StepState.Ended ended ? ended.result() : null;
    }

    /** Whether the step at a place has run and succeeded. Known as early as its result is readable. */
    public boolean hasSucceeded(int place) {
        return !isHidden(place) && states[place] instanceof StepState.Ended ended && ended.succeeded();
    }

    /** Whether the place belongs to an inner step whose container, and this list, go on. */
    private boolean isHidden(int place) {
        return graph.isSlot(place)
                && !isEnding()
                && !(states[graph.slotAt(place).container()] instanceof StepState.Ended);
    }

    /** Number of needed steps that have not ended. */
    public int unmet(int step) {
        return unmet[step];
    }

    /** Returns whether every step has ended, and none has failed. */
    public boolean isComplete() {
        return remaining == 0 && !failed;
    }

    /** Returns whether no step has begun. */
    boolean isUntouched() {
        for (StepState state : states) {
            if (state != null) {
                return false;
            }
        }
        return resets.isEmpty() && retries.isEmpty();
    }

    /** Undoes the beginning of this iteration if no step in it has begun. */
    public void forgetUntouched() {
        if (loop != null && isUntouched()) {
            loop.forget(iteration);
        }
    }

    /** Returns whether the scope has ended in a way that needs no row. */
    boolean endsImplicitly() {
        return isComplete() && failureAtEnd == null && !isEnding() && graph.endsImplicitly();
    }

    /** Returns how often a step began again. */
    public int resets(int step) {
        return resets.getOrDefault(step, 0);
    }

    void countResets(int step, int times) {
        resets.put(step, times);
    }

    /** Returns the current retry of a hooked step; empty in its first attempt. */
    public Optional<Retry> retry(int step) {
        return Optional.ofNullable(retries.get(step));
    }

    public void retry(int step, Retry next) {
        Retry before = retries.put(step, next);
        weight += Weights.of(next.error()) - (before == null ? 0 : Weights.of(before.error()));
    }

    /** The failure that the list fails with at its end. */
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

    /** Records that a job of the step, or the wait before it, is in the queue. */
    void start(int step, StepState.Live live) {
        set(step, live);
        if (live == StepState.Live.LIVE && graph.node(step).readsOnlyAtItsBegin()) {
            releaseUses(step);
        }
    }

    /** Records that the wait before the step has ended. */
    void endDelay(int step) {
        set(step, null);
    }

    void open(int step, StepState.Container container) {
        set(step, container);
    }

    /**
     * Ends a step. The scope keeps the result only if something may read it.
     *
     * <p>Values that the stop conditions of the step read remain until {@link #decideStops}.
     *
     * @param end without a result if the step failed and the failure is not tolerated
     */
    void end(int step, StepState.Ended end) {
        boolean hasRead =
                states[step] == StepState.Live.LIVE && graph.node(step).readsOnlyAtItsBegin();
        keep(step, end);
        failed |= end.result() == null;
        remaining--;
        for (int successor : graph.node(step).successors()) {
            unmet[successor]--;
        }
        if (!hasRead && graph.node(step).policy().stops().isEmpty()) {
            releaseUses(step);
        }
    }

    /** Records that the stop conditions of an ended step have been evaluated and read nothing anymore. */
    public void decideStops(int step) {
        if (!graph.node(step).policy().stops().isEmpty()) {
            releaseUses(step);
        }
    }

    /** Makes the end of a step readable outside the branches that contain it. */
    void leave(String id, StepState.Ended end) {
        ScopeState level = this;
        while (true) {
            Integer slot = level.graph.slot(id);
            if (slot != null && !level.graph.byId().containsKey(id)) {
                level.keep(slot, end);
            }
            if (!level.isTransparent() || level.parent == null) {
                return;
            }
            level = level.parent;
        }
    }

    private void keep(int place, StepState.Ended end) {
        StepState.Ended kept = readers[place] > 0 && end.result() != null ? end : end.withoutResult();
        set(place, kept);
        if (kept.result() != null) {
            weight += Weights.of(kept.result());
            storableWeight += Weights.ofStorable(kept.result());
        }
    }

    /** Resets a step so that it can begin again. */
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

    /** Drops results that came from inside branches. */
    private void emptySlots(Set<String> ids) {
        for (int place = graph.nodes().size(); place < graph.places(); place++) {
            if (ids.contains(graph.slotAt(place).id())) {
                letGo(place);
                set(place, null);
            }
        }
    }

    /**
     * Drops results that no step but this one still reads. A task has read them when it starts, a container when it
     * ends.
     */
    private void releaseUses(int step) {
        for (int used : graph.node(step).uses()) {
            if (--readers[used] == 0 && letGo(used) && states[used] instanceof StepState.Ended ended) {
                set(used, ended.withoutResult());
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

    /** Returns the positions of the containers in progress. */
    public List<Integer> openContainers() {
        List<Integer> open = new ArrayList<>();
        for (int step = 0; open.size() < containersOpen; step++) {
            if (states[step] instanceof StepState.Container) {
                open.add(step);
            }
        }
        return open;
    }

    /** Estimates the memory that the scope and everything inside occupy, in bytes. */
    long weight() {
        long total = weight + (subFlow == null ? 0 : subFlow.weight());
        for (int step : openContainers()) {
            total += states[step] instanceof StepState.Container inner ? inner.weight() : 0;
        }
        return total;
    }

    /** Estimates the part of the weight that a fresh fold would leave in the history, in bytes. */
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

    /** What all steps of the flow around it see alike. */
    public SubFlowScope flow() {
        return Objects.requireNonNull(flowScope().subFlow());
    }

    /** The outermost list of the flow around it. */
    public ScopeState flowScope() {
        ScopeState level = this;
        while (level.subFlow() == null) {
            level = Objects.requireNonNull(level.parent());
        }
        return level;
    }
}
