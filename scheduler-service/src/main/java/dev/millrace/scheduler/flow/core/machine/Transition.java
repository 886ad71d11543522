package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.Frame;
import dev.millrace.scheduler.flow.core.state.HandledFailure;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.flow.core.state.StepState;
import dev.millrace.scheduler.flow.core.state.Weights;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Works out one decision: what an event ends, what that lets begin, and so on until only workers can go on. Works through a queue
 * of its own, so that neither long lists nor many iterations deepen the stack.
 */
final class Transition {
    /** Something still to be worked through. */
    sealed interface Pending {
        record BeginScope(ScopeState scope) implements Pending {}

        record BeginStep(Place place) implements Pending {}

        /** Begins the step itself: what stands before it is done. */
        record Act(Place place) implements Pending {}

        record CompleteScope(ScopeState scope) implements Pending {}

        /** A loop goes on of which so many iterations are in progress. */
        record FillLoop(LoopState loop, int active) implements Pending {}
    }

    final FlowState state;
    final Deque<Pending> queue = new ArrayDeque<>(2);
    final List<StepRecord> records = new ArrayList<>();
    final PendingStarts starts = new PendingStarts();
    private final List<Withdrawal> withdrawals = new ArrayList<>();
    /** A transition that writes less does not make a state too large by itself. */
    private static final long STATE_LOOK_BYTES = 1 << 16;

    private int recordsWeighed;
    private long weightOfRecords;
    /** Rough bytes of the result that the transition is about. */
    private long endedWeight;
    /** Lists and containers that may have come to their early end. */
    private final List<Frame> ending = new ArrayList<>();

    final StepActivator activator;
    final Iterations iterations;
    final Endings endings;
    final EarlyBegins earlyBegins;

    private @Nullable Outcome result;
    private ContainerTermination containersEnd =
            ContainerTermination.alike(new Outcome.Canceled(FlowErrors.endedEarly()));

    Transition(FlowState state) {
        this.state = state;
        this.activator = new StepActivator(this);
        this.iterations = new Iterations(this);
        this.endings = new Endings(this);
        this.earlyBegins = new EarlyBegins(this);
    }

    Decision start() {
        state.begin();
        queue.add(new Pending.BeginScope(state.root()));
        return workThrough();
    }

    /** The job of a live step, or a wait, ended. */
    Decision end(StepKey key, Outcome outcome) {
        endedWeight = Weights.of(outcome);
        Place place = state.place(key);
        noteEnding(place.scope());
        if (key.mark().isEmpty()) {
            if (!Retries.beginsAgain(place, outcome, this) && !StepDeciders.goesOn(place, outcome, this)) {
                state.end(place, outcome);
                endings.follow(place, outcome);
            }
        } else if (key.mark().get() == StepKey.Mark.LIMIT) {
            timeOut(place);
        } else {
            return endDelay(place, key, outcome);
        }
        return workThrough();
    }

    /** The wait before a step is over. */
    private Decision endDelay(Place place, StepKey key, Outcome outcome) {
        state.endDelay(place, key);
        if (Failure.of(state.model(), place.key(), outcome).isEmpty()) {
            goOn(place, key);
        } else {
            endHere(place, outcome);
        }
        Decision decision = workThrough();
        // Where something around it has failed meanwhile, an iteration whose first step was delayed never begins.
        place.scope().forgetUntouched();
        return decision;
    }

    /** The time of a container, a poll, or a run that a step waits for, is over: what is inside is canceled, and it fails for good. */
    private void timeOut(Place container) {
        state.limits().expire(container.key());
        JobError error = FlowErrors.timedOut(
                container.node().policy().timeout().orElseThrow(() -> new IllegalStateException("no time limit")));
        Outcome canceled = new Outcome.Canceled(error);
        for (StepKey key : state.limits().liveInside(container.key())) {
            state.cancel(key, canceled);
            boolean isHold = key.mark().filter(StepKey.Mark::isHold).isPresent();
            withdrawals.add(new Withdrawal(key, isHold ? Optional.empty() : Optional.of(error)));
        }
        if (state.live().contains(container.key())) {
            boolean isJob = container.node().work().kind().isJob();
            withdrawals.add(new Withdrawal(container.key(), isJob ? Optional.of(error) : Optional.empty()));
            if (isJob) {
                reset(container, Json.NULL);
            }
        }
        close(ContainerTermination.alike(canceled).inside(container));
        failHere(container, error);
    }

    /** A live step is skipped, or one before which a wait is. */
    Decision skip(StepKey key, Json result) {
        Outcome skipped = new Outcome.Skipped(result);
        if (key.mark().isEmpty()) {
            return end(key, skipped);
        }
        Place place = state.place(key);
        noteEnding(place.scope());
        state.endDelay(place, key);
        endHere(place, skipped);
        return workThrough();
    }

    /** The step begins, or is looked at from the start if nothing of it has happened. */
    private void goOn(Place place, StepKey waited) {
        boolean isUntouched = waited.mark().equals(Optional.of(StepKey.Mark.HOLD));
        queue.add(isUntouched ? new Pending.BeginStep(place) : new Pending.Act(place));
    }

    /** What was held back begins. */
    Decision resume() {
        state.pause(false);
        List<StepKey> heldBack = state.live().stream()
                .filter(key -> key.mark().filter(StepKey.Mark::isHold).isPresent())
                .sorted(Comparator.comparing(StepKey::text))
                .toList();
        List<ScopeState> resumed = new ArrayList<>();
        for (StepKey key : heldBack) {
            Place place = state.place(key);
            resumed.add(place.scope());
            noteEnding(place.scope());
            state.endDelay(place, key);
            withdrawals.add(new Withdrawal(key, Optional.empty()));
            goOn(place, key);
        }
        Decision decision = workThrough();
        // Where something around it has failed meanwhile, an iteration that was held back never begins.
        resumed.forEach(ScopeState::forgetUntouched);
        return decision;
    }

    /** Begins whatever is ready and has not begun, in every list in progress. */
    Decision reopen() {
        state.begin();
        ResumePlan plan = ResumePlan.of(state);
        queue.addAll(plan.work());
        plan.mayBeginEarly().forEach(earlyBegins::note);
        ending.addAll(plan.ending());
        plan.open().forEach(activator::limit);
        return workThrough();
    }

    /** Ends the run now. */
    Decision fail(JobError error) {
        return endRun(new Outcome.Failed(error), ContainerTermination.alike(new Outcome.Canceled(error)));
    }

    Decision cancel(JobError reason) {
        Outcome canceled = new Outcome.Canceled(reason);
        return endRun(canceled, ContainerTermination.alike(canceled));
    }

    private Decision workThrough() {
        int done = 0;
        while (result == null) {
            Pending pending = queue.poll();
            if (pending == null) {
                Frame ended = nextEnded();
                if (ended != null) {
                    endFrame(ended);
                } else if (!earlyBegins.decide()) {
                    return holdsTooMuch()
                            ? giveUp(FlowErrors.stateTooLarge(state.model().stateBytesMax()))
                            : starts.decide(state, records, this::takeWithdrawals);
                }
            } else if (++done > FlowLimits.TRANSITION_WORK_MAX) {
                return giveUp(FlowErrors.transitionTooLarge());
            } else if (weight() > state.model().transitionBytesMax()) {
                return giveUp(FlowErrors.transitionTooHeavy(state.model().transitionBytesMax()));
            } else {
                work(pending);
            }
        }
        return endRun(result, containersEnd);
    }

    /** Rough bytes that it writes so far. */
    private long weight() {
        for (; recordsWeighed < records.size(); recordsWeighed++) {
            weightOfRecords += Weights.of(records.get(recordsWeighed).outcome());
        }
        return weightOfRecords + starts.weight();
    }

    /** Whether the state has become too large; asked only where the transition may have made it so, as the answer costs as much as it holds. */
    private boolean holdsTooMuch() {
        return endedWeight + weight() > STATE_LOOK_BYTES
                && state.leastWeight() > state.model().stateBytesMax();
    }

    private void work(Pending pending) {
        switch (pending) {
            case Pending.BeginScope begin -> activator.beginScope(begin.scope());
            case Pending.BeginStep begin -> activator.beginStep(begin.place());
            case Pending.Act act -> activator.act(act.place());
            case Pending.CompleteScope complete -> endings.completeScope(complete.scope());
            case Pending.FillLoop(LoopState loop, int active) -> iterations.fillLoop(loop, active);
        }
    }

    /** Ends the run; containers still in progress end like this. */
    private Decision endRun(Outcome outcome, ContainerTermination containers) {
        records.addAll(containers.inside(state.root()).inside(state.handler()).records());
        if (state.handler() != null) {
            records.add(new StepRecord(StepKey.FAILURE, JobKind.SUB_FLOW, Json.NULL, outcome));
        }
        state.finish();
        return Decision.ends(records, takeWithdrawals(), outcome);
    }

    private List<Withdrawal> takeWithdrawals() {
        for (StepKey limit : state.limits().takeWithdrawn()) {
            withdrawals.add(new Withdrawal(limit, Optional.empty()));
        }
        return withdrawals;
    }

    /** Ends the run without any of what was worked out. */
    private Decision giveUp(JobError error) {
        Outcome canceled = new Outcome.Canceled(error);
        Set<String> open = new TreeSet<>();
        ContainerTermination.alike(canceled)
                .inside(state.root())
                .inside(state.handler())
                .records()
                .forEach(row -> open.add(row.key().text()));
        for (StepRecord row : records) {
            if (row.kind().isContainer()
                    && row.key().mark().isEmpty()
                    && !row.key().isIteration()) {
                open.add(row.key().text());
            }
        }
        records.stream()
                .filter(row -> row.key().isOpening())
                .forEach(row -> open.remove(row.key().step().text()));
        List<StepRecord> ends = open.stream()
                .map(StepKey::new)
                .map(key -> new StepRecord(key, state.model().kind(key), Json.NULL, canceled))
                .toList();
        state.finish();
        return Decision.ends(ends, takeWithdrawals(), new Outcome.Failed(error));
    }

    private void noteEnding(Frame inner) {
        for (Frame frame = inner; frame != null; frame = frame.outer()) {
            if (frame.isEnding()) {
                ending.add(frame);
            }
        }
    }

    /** One of them inside of which no job is left; what stands in another of them ends with that one. */
    private @Nullable Frame nextEnded() {
        for (Frame frame = state.takeEnding(); frame != null; frame = state.takeEnding()) {
            ending.add(frame);
        }
        ending.removeIf(frame -> !frame.isAttachedThroughout() || isHandled(frame));
        for (Frame frame : ending) {
            if (frame.live() == 0 && !frame.isInsideEnding()) {
                ending.removeIf(frame::is);
                return frame;
            }
        }
        return null;
    }

    /** The flow has failed, and the steps for that case have begun. */
    private boolean isHandled(Frame frame) {
        return state.handler() != null && frame.is(state.root());
    }

    private void endFrame(Frame frame) {
        Failure failure = frame.failure();
        switch (frame) {
            case ScopeState scope when failure != null -> failScope(scope, failure);
            case ScopeState scope -> stopScope(scope, Objects.requireNonNull(scope.stop()));
            case LoopState loop
            when failure == null -> {
                Place place = new Place(loop.scope(), loop.step());
                JobError error = FlowErrors.gatheredTooLarge(state.model().payloadBytesMax());
                failContainer(
                        place,
                        new Failure(place.key(), error, false, state.model().order(place.key())));
            }
            case LoopState loop -> failContainer(new Place(loop.scope(), loop.step()), failure);
            case BranchState branch -> failContainer(branch.place(), Objects.requireNonNull(failure));
        }
    }

    private void failScope(ScopeState scope, Failure failure) {
        LoopState loop = scope.loop();
        if (loop != null) {
            close(ContainerTermination.after(failure).inside(scope));
            iterations.endEarly(loop, scope, failure.tolerated());
        } else if (scope.is(state.root()) && state.model().onFailure().isPresent()) {
            beginHandler(failure);
        } else {
            endRunFailed(failure);
        }
    }

    private void endRunFailed(Failure failure) {
        Failure handled = state.handler() == null
                ? failure
                : Objects.requireNonNull(state.root().failure());
        containersEnd = ContainerTermination.after(failure);
        result = new Outcome.Failed(handled.runError());
    }

    private void beginHandler(Failure failure) {
        ContainerTermination closings = ContainerTermination.after(failure).inside(state.root());
        close(closings);
        records.add(new StepRecord(
                StepKey.FAILURE.opening(),
                JobKind.SUB_FLOW,
                Json.NULL,
                new Outcome.Succeeded(HandledFailure.write(failure).json())));
        state.openHandler(failure);
        closings.endOutermost(state);
        queue.clear();
        queue.add(new Pending.BeginScope(Objects.requireNonNull(state.handler())));
    }

    private void stopScope(ScopeState scope, ScopeState.Stop stop) {
        LoopState loop = scope.loop();
        ScopeState parent = scope.parent();
        if (loop == null && (parent == null || scope.is(state.handler()))) {
            endFlow(new Outcome.Succeeded(stop.result().json()));
            return;
        }
        close(ContainerTermination.alike(new Outcome.Canceled(FlowErrors.endedEarly()))
                .inside(scope));
        if (loop != null) {
            iterations.endEarly(loop, scope, stop.result());
        } else {
            endHere(
                    new Place(Objects.requireNonNull(parent), scope.container()),
                    new Outcome.Succeeded(stop.result().json()));
        }
    }

    /** The steps of the run, or those that run since it failed, have come to their end. */
    void endFlow(Outcome outcome) {
        Failure handled = state.root().failure();
        ScopeState handler = state.handler();
        result = handler == null || handled == null || recovers(handler, outcome)
                ? outcome
                : new Outcome.Failed(handled.runError());
    }

    private boolean recovers(ScopeState handler, Outcome outcome) {
        return outcome instanceof Outcome.Succeeded
                && state.model()
                        .definition()
                        .options()
                        .recovers()
                        .filter(condition ->
                                Bindings.of(state, handler).resolve(condition) instanceof Resolution.Resolved resolved
                                        && resolved.value().isTruthy())
                        .isPresent();
    }

    private void failContainer(Place place, Failure failure) {
        StepPolicy policy = place.node().policy();
        ContainerTermination closings = ContainerTermination.after(failure).inside(place);
        close(closings);
        if (!Retries.beginsAgain(place, failure, this)) {
            boolean own = failure.key().equals(place.key())
                    || HookedAttempt.hasFailed(place.key(), failure)
                    || (policy.onFailure() != StepPolicy.OnFailure.FAIL && !HandledFlow.holdsSteps(place.key()));
            endHere(place, new Outcome.Failed(own ? failure.error() : failure.runError()));
        }
    }

    /** Voids what a step has left so far. */
    void reset(Place place, Json told) {
        records.add(new StepRecord(place.key(), JobKind.RESET, Json.NULL, new Outcome.Succeeded(told)));
        state.reset(place);
    }

    private void close(ContainerTermination closings) {
        records.addAll(closings.leave(state).records());
    }

    @Nullable StepState open(Place place, JsonValue opening) {
        record(place.key().opening(), place, new Outcome.Succeeded(opening.json()));
        state.open(place, opening);
        return place.state();
    }

    /** Ends a step that needed no worker. */
    void endHere(Place place, Outcome outcome) {
        endHere(place, outcome, Optional.empty());
    }

    /** The same; its end ends what is around it early where {@code stopped} says so. */
    void endHere(Place place, Outcome outcome, Optional<StepPolicy.Extent> stopped) {
        record(place.key(), place, outcome);
        state.end(place, outcome);
        endings.follow(place, outcome, stopped);
    }

    /** The same, with an input in its row, for those who act on the row. */
    void endHere(Place place, Json input, Outcome outcome) {
        records.add(new StepRecord(place.key(), place.node().work().kind(), input, outcome));
        state.end(place, outcome);
        endings.follow(place, outcome, Optional.empty());
    }

    void endHere(Place place, String what, Template value) {
        switch (Bindings.of(state, place).resolve(value)) {
            case Resolution.Resolved resolved ->
                endHere(place, new Outcome.Succeeded(resolved.value().json()));
            case Resolution.Unresolved unresolved -> failHere(place, FlowErrors.unresolved(what, unresolved));
        }
    }

    void failHere(Place place, JobError error) {
        endHere(place, new Outcome.Failed(error));
    }

    void record(StepKey key, Place place, Outcome outcome) {
        records.add(new StepRecord(key, place.node().work().kind(), Json.NULL, outcome));
    }
}
