package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.Node;
import dev.millrace.scheduler.flow.core.graph.SetVariablesWork;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.TerminateWork;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a run: a fold over the rows of its finished steps and the keys of its live jobs.
 *
 * <p>The state does not depend on the order of the rows. It is mutable and belongs to one lane. The cost of a
 * transition depends on what it changes, not on the size of the flow. The state drops results that nothing can read
 * anymore.
 */
public final class FlowState {
    /** The phase of the whole run. */
    public enum Phase {
        /** No step has begun. */
        NEW,
        /** Steps begin and end. */
        RUNNING,
        /** A step has ended the flow early. Running steps may finish; no further step begins. */
        STOPPING,
        /**
         * A step has failed, and nothing around it tolerates the failure. Running steps may finish; no further step
         * begins.
         */
        FAILING,
        /** The flow has failed, and the steps of {@code onFailure} run. */
        HANDLING,
        /** The run has ended. */
        ENDED
    }

    private final FlowModel model;
    private final RunId run;
    private final ScopeState root;
    private final Set<StepKey> live = new HashSet<>();
    private final TimeLimits limits = new TimeLimits(live);
    private final Deque<Frame> ending = new ArrayDeque<>();
    private @Nullable ScopeState handler;
    private @Nullable IdSource ids;
    private boolean begun;
    private boolean ended;
    private boolean paused;
    private boolean mayReadStored;

    private FlowState(FlowModel model, RunId run, Json input) {
        this.model = model;
        this.run = run;
        this.root = ScopeState.ofFlow(
                model.graph(),
                new SubFlowScope(JsonValue.of(input), model.definition().options()));
    }

    /** Creates the state of a run that has not begun. */
    public static FlowState fresh(FlowModel model, RunId run, Json input) {
        return new FlowState(model, run, input);
    }

    public Phase phase() {
        if (ended) {
            return Phase.ENDED;
        }
        if (!begun) {
            return Phase.NEW;
        }
        if (handler != null) {
            return Phase.HANDLING;
        }
        if (root.failure() != null) {
            return Phase.FAILING;
        }
        return root.isEnding() ? Phase.STOPPING : Phase.RUNNING;
    }

    /** Estimates the memory that the state occupies, in bytes. Visits the whole state. */
    public long weight() {
        ScopeState handling = handler;
        long env = model.runEnv().map(Weights::of).orElse(0L);
        return env + root.weight() + (handling == null ? 0 : handling.weight()) + Weights.KEY * live.size();
    }

    /** Estimates the memory that the state would need if large results stayed in the history, in bytes. */
    public long leastWeight() {
        ScopeState handling = handler;
        return weight() - root.storableWeight() - (handling == null ? 0 : handling.storableWeight());
    }

    /** Returns whether steps may read results that are still in the database, so that using the state may block. */
    public boolean mayReadStored() {
        return mayReadStored;
    }

    void noteStored() {
        mayReadStored = true;
    }

    /** The input of the run. */
    public Json input() {
        return root.flow().input().json();
    }

    public FlowModel model() {
        return model;
    }

    public RunId run() {
        return run;
    }

    public ScopeState root() {
        return root;
    }

    /** The steps of {@code onFailure}; null unless the flow has failed and they have begun. */
    public @Nullable ScopeState handler() {
        return handler;
    }

    /** The keys of steps and waits in the queue. */
    public Set<StepKey> live() {
        return Collections.unmodifiableSet(live);
    }

    /**
     * Returns the key under which a step is live: its own key, or the key of the wait before it; empty if it is not
     * live.
     */
    public static Optional<StepKey> liveKey(Set<StepKey> live, StepKey step) {
        return Stream.of(
                        step, step.with(StepKey.Mark.DELAY), step.with(StepKey.Mark.HOLD), step.with(StepKey.Mark.HELD))
                .filter(live::contains)
                .findFirst();
    }

    /** Returns the place of a live step. */
    public Place place(StepKey key) {
        return switch (KeyLookup.follow(root, handler, key.step())) {
            case KeyLookup.ToStep to -> to.place();
            case KeyLookup.ToIteration _, KeyLookup.ToThePast _, KeyLookup.Nowhere _ ->
                throw new IllegalStateException("\"" + key + "\" is live inside something that has ended.");
        };
    }

    /** Forgets which frames are ending, because their ends are part of the history. */
    void forgetEnding() {
        ending.clear();
    }

    /** Removes and returns the next list or container that has begun to end early; null if there is none. */
    public @Nullable Frame takeEnding() {
        return ending.poll();
    }

    public void finish() {
        ended = true;
        limits.withdrawAll();
    }

    /** Returns whether the run is paused. History rows do not say so. */
    public boolean isPaused() {
        return paused;
    }

    /** Sets the source of job ids and of the current time. Without a source, decisions use neither. */
    public void use(IdSource source) {
        ids = source;
    }

    public Optional<IdSource> ids() {
        return Optional.ofNullable(ids);
    }

    /** Pauses or resumes the run. After a resumption, the machine must begin the steps that waited for it. */
    public void pause(boolean value) {
        paused = value;
    }

    /** The time limits of the containers in progress. */
    public TimeLimits limits() {
        return limits;
    }

    public void begin() {
        begun = true;
    }

    /** Records that a job of the step, or the wait before it, enters the queue. */
    public void start(Place place, StepKey key) {
        touch(place.scope());
        live.add(key);
        place.scope().addLive(1);
        place.scope().start(place.step(), key.mark().isPresent() ? StepState.Live.DELAYED : StepState.Live.LIVE);
    }

    /** Records that the wait before the step has ended. */
    public void endDelay(Place place, StepKey key) {
        live.remove(key);
        place.scope().addLive(-1);
        place.scope().endDelay(place.step());
    }

    public void open(Place place, JsonValue opening) {
        touch(place.scope());
        ContainerOpening.container(place, opening, model.payloadBytesMax())
                .ifPresent(container -> place.scope().open(place.step(), container));
    }

    /** Ends a step whose stop conditions were evaluated earlier, or are not to be evaluated. */
    public void endDecided(Place place, Outcome outcome) {
        end(place, outcome);
        place.scope().decideStops(place.step());
    }

    /** Ends a step. Its stop conditions come next, and may still read everything that the step could read. */
    public void end(Place place, Outcome outcome) {
        ScopeState scope = place.scope();
        touch(scope);
        StepKey key = place.key();
        if (live.remove(key)) {
            scope.addLive(-1);
        }
        Node node = place.node();
        StepState.Ended end = ended(node, key, outcome);
        limits.withdraw(key);
        changeVariables(node, scope, outcome);
        scope.end(place.step(), end);
        scope.leave(node.id(), end);
        Optional<Failure> failure = Failure.of(model, key, outcome);
        if (failure.isPresent()) {
            fail(scope, node, failure.get());
        } else {
            endImplicitly(scope, end.result());
        }
        failAtEnd(scope);
    }

    /** Fails a list that is complete or ends early, if it has a failure that was deferred to its end. */
    private void failAtEnd(ScopeState scope) {
        Failure atEnd = scope.failureAtEnd();
        if (atEnd != null && (scope.isComplete() || scope.stop() != null)) {
            markFailed(scope, atEnd);
        }
    }

    private void fail(ScopeState scope, Node node, Failure failure) {
        switch (node.policy().onFailure()) {
            case FAIL -> {
                LoopState loop = scope.loop();
                if (scope.graph().single() && scope.isTolerant() && loop != null) {
                    endWell(loop, scope.iteration(), failure.tolerated());
                } else {
                    markFailed(scope, failure);
                }
            }
            case CONTINUE -> endImplicitly(scope, failure.tolerated());
            case FAIL_AT_END -> scope.failAtEnd(failure);
        }
    }

    /** Returns how a step ends for others. */
    StepState.Ended ended(Node node, StepKey key, Outcome outcome) {
        return new StepState.Ended(result(node, key, outcome), outcome instanceof Outcome.Succeeded);
    }

    /** Returns the result that others can read; null if the step failed and the failure is not tolerated. */
    private @Nullable JsonValue result(Node node, StepKey key, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded ->
                node.work() instanceof SetVariablesWork
                        ? VariableChange.values(succeeded.result())
                        : JsonValue.of(succeeded.result());
            case Outcome.Skipped skipped -> JsonValue.of(skipped.result());
            case Outcome.Failed _, Outcome.Canceled _ ->
                node.policy().onFailure() == OnFailure.FAIL
                        ? null
                        : Failure.of(model, key, outcome)
                                .map(Failure::tolerated)
                                .orElse(null);
        };
    }

    static void changeVariables(Node node, ScopeState scope, Outcome outcome) {
        if (node.work() instanceof SetVariablesWork && outcome instanceof Outcome.Succeeded succeeded) {
            JsonValue change = JsonValue.of(succeeded.result());
            scope.flow().change(VariableChange.number(change), VariableChange.values(change));
        }
    }

    /** Cancels a live step, or the wait before it, together with what is around it. */
    public void cancel(StepKey key, Outcome outcome) {
        Place place = place(key);
        if (key.mark().isPresent()) {
            endDelay(place, key);
        } else {
            live.remove(key);
            place.scope().addLive(-1);
            close(place, outcome);
        }
    }

    /** Ends a container together with what is around it. Its result may still be read from outside. */
    public void close(Place place, Outcome outcome) {
        place.scope().leave(place.node().id(), ended(place.node(), place.key(), outcome));
    }

    /**
     * Ends an iteration without a row of its own: all its steps have succeeded, and its result is that of its last
     * step.
     */
    private void endImplicitly(ScopeState scope, @Nullable JsonValue result) {
        LoopState loop = scope.loop();
        if (loop == null || !scope.endsImplicitly()) {
            return;
        }
        JsonValue last = scope.graph().single()
                ? result
                : scope.result(scope.graph().nodes().size() - 1);
        endWell(loop, scope.iteration(), last == null ? JsonValue.NULL : last);
    }

    private void endWell(LoopState loop, int iteration, JsonValue result) {
        loop.end(iteration, result);
        if (loop.isEnding()) {
            ending.add(loop);
        }
    }

    /** Ends an iteration or a branch by its own row. */
    public void endIteration(LoopState loop, int iteration, StepKey key, Outcome outcome) {
        touch(loop.scope());
        limits.withdraw(key);
        switch (outcome) {
            case Outcome.Succeeded succeeded -> endWell(loop, iteration, JsonValue.of(succeeded.result()));
            case Outcome.Skipped skipped -> endWell(loop, iteration, JsonValue.of(skipped.result()));
            case Outcome.Failed _, Outcome.Canceled _ -> {
                loop.abandon(iteration);
                Failure.of(model, key, outcome).ifPresent(failure -> markFailed(loop, failure));
            }
        }
    }

    /** Keeps a loop from beginning further iterations. */
    public void breakOff(LoopState loop, StepKey key, Outcome outcome) {
        loop.breakOff();
        Failure.of(model, key, outcome).ifPresent(failure -> markFailed(loop, failure));
    }

    /** Ends early what is around a step, as far as the mark says. */
    public void endEarly(Place place, StepKey.Mark mark, Outcome outcome) {
        touch(place.scope());
        endAround(place.scope(), place.key(), mark, outcome);
    }

    /** Ends early what is around a step in this list, as far as the mark says. */
    void endAround(ScopeState scope, StepKey step, StepKey.Mark mark, Outcome outcome) {
        ScopeState target = target(scope, mark);
        boolean breaks = (mark == StepKey.Mark.BREAK || mark == StepKey.Mark.BRANCHES) && target.loop() != null;
        Optional<Failure> failure = Failure.of(model, step, outcome);
        if (failure.isPresent()) {
            if (breaks && scope.boundary().is(target)) {
                Objects.requireNonNull(target.loop()).breakOff();
            }
            markFailed(mark == StepKey.Mark.END ? failing(scope, step) : scope, failure.get());
        } else if (outcome instanceof Outcome.Succeeded succeeded) {
            target.stop(new ScopeState.Stop(model.order(step), JsonValue.of(succeeded.result())));
            failAtEnd(target);
            if (breaks) {
                Objects.requireNonNull(target.loop()).breakOff();
            }
            ending.add(target);
        }
    }

    private static ScopeState target(ScopeState scope, StepKey.Mark mark) {
        return switch (mark) {
            case BRANCH, BRANCHES -> scope.branchAround();
            case BREAK -> scope.iterationAround();
            case END -> scope.flowScope();
            case OPEN, STOP, DELAY, HOLD, HELD, LIMIT, REDO, REOPEN -> scope;
        };
    }

    /**
     * Returns what fails with a step that fails its flow. This is the whole flow if that is the purpose of the step.
     * Otherwise it is the list that precedes the steps of {@code onFailure}.
     */
    private ScopeState failing(ScopeState scope, StepKey step) {
        ScopeState flow = scope.flowScope();
        if (model.walk(step).node().work() instanceof TerminateWork) {
            return flow;
        }
        ScopeState level = scope;
        while (!level.is(flow) && !HandledFlow.holdsSteps(level.key())) {
            level = Objects.requireNonNull(level.parent());
        }
        return level;
    }

    /** Resets a step so that it can begin again. */
    public void reset(Place place) {
        if (live.remove(place.key())) {
            place.scope().addLive(-1);
        }
        limits.withdrawInside(place.key());
        place.scope().reset(place.step(), place.scope().resets(place.step()) + 1);
    }

    /** Begins the steps of {@code onFailure}. */
    public void openHandler(Failure failure) {
        root.fail(failure);
        limits.withdrawAll();
        handler = ScopeState.onFailure(model.onFailure().orElseThrow(), root);
    }

    private void markFailed(Frame frame, Failure failure) {
        Frame boundary = frame.boundary();
        if (!boundary.is(root) || handler == null) {
            boundary.fail(failure);
            ending.add(boundary);
        }
    }

    /** Adds the iterations around a scope to their loops. */
    void touch(ScopeState scope) {
        for (ScopeState level = scope; level != null; level = level.parent()) {
            LoopState loop = level.loop();
            if (loop != null && loop.find(level.iteration()) == null) {
                loop.begin(level);
            }
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FlowState that
                && model == that.model
                && run.equals(that.run)
                && phase() == that.phase()
                && live.equals(that.live)
                && root.equals(that.root)
                && Objects.equals(handler, that.handler);
    }

    @Override
    public int hashCode() {
        return run.hashCode();
    }

    @Override
    public String toString() {
        return "FlowState[" + run + ", " + phase() + ", live " + live + ", " + root + ", " + handler + "]";
    }
}
