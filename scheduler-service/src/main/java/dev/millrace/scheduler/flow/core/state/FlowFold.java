package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Optional;
import java.util.Set;

/**
 * Folds history rows and the keys of live jobs into the state of a run. The result does not depend on the order of the
 * rows.
 */
public final class FlowFold {
    private final FlowModel model;
    private final FlowState state;

    private FlowFold(FlowModel model, FlowState state) {
        this.model = model;
        this.state = state;
    }

    /**
     * The state of a run from the database alone.
     *
     * @param finished its rows of history, in any order
     * @param live the steps that have a job in the queue
     */
    public static FlowState of(
            FlowModel model, RunId run, Json input, Iterable<FinishedStep> finished, Set<StepKey> live) {
        FlowState state = FlowState.fresh(model, run, input);
        FlowFold fold = new FlowFold(model, state);
        Journal journal = new Journal(finished);
        journal.rows().forEach(fold::insert);
        journal.voidChangesOfVariables().forEach(fold::changeVariables);
        journal.resets().forEach(fold::countResets);
        journal.retries().forEach(fold::retry);
        live.forEach(fold::insertLive);
        state.forgetEnding();
        return state;
    }

    private void insert(FinishedStep row) {
        state.begin();
        noteStored(row.outcome());
        StepKey key = row.key();
        Optional<StepKey.Mark> mark = key.mark();
        if (key.step().equals(StepKey.FAILURE)) {
            if (row.outcome() instanceof Outcome.Succeeded opening && mark.isPresent()) {
                state.openHandler(HandledFailure.read(model, JsonValue.of(opening.result())));
            }
        } else if (mark.isEmpty()) {
            insertEnd(key, row.outcome());
        } else {
            insertMark(key, mark.get(), row.outcome());
        }
    }

    private void noteStored(Outcome outcome) {
        boolean stored = switch (outcome) {
            case Outcome.Succeeded(Json result) -> result.stored().isPresent();
            case Outcome.Skipped(Json result) -> result.stored().isPresent();
            case Outcome.Failed(JobError error) ->
                error.result().flatMap(Json::stored).isPresent();
            case Outcome.Canceled _ -> false;
        };
        if (stored) {
            state.noteStored();
        }
    }

    private void insertEnd(StepKey key, Outcome outcome) {
        switch (KeyLookup.follow(state.root(), state.handler(), key)) {
            case KeyLookup.ToStep to -> state.endDecided(to.place(), outcome);
            case KeyLookup.ToIteration to -> state.endIteration(to.loop(), to.iteration(), key, outcome);
            case KeyLookup.ToThePast past -> {
                if (past.leaves()) {
                    past.last().leave(past.node().id(), state.ended(past.node(), key, outcome));
                }
                if (past.changes()) {
                    FlowState.changeVariables(past.node(), past.last(), outcome);
                }
            }
            case KeyLookup.Nowhere _ -> {}
        }
    }

    private void insertMark(StepKey key, StepKey.Mark mark, Outcome outcome) {
        switch (KeyLookup.follow(state.root(), state.handler(), key.step())) {
            case KeyLookup.ToStep(Place place) -> {
                switch (mark) {
                    case OPEN -> {
                        if (outcome instanceof Outcome.Succeeded opening) {
                            state.open(place, JsonValue.of(opening.result()));
                        }
                    }
                    case STOP, BRANCH, BRANCHES, BREAK, END -> state.endEarly(place, mark, outcome);
                    case DELAY, HOLD, HELD, LIMIT, REDO, REOPEN -> {}
                }
            }
            case KeyLookup.ToIteration to -> state.breakOff(to.loop(), key.step(), outcome);
            case KeyLookup.ToThePast past -> {
                if (mark == StepKey.Mark.BREAK
                        && past.last().state(past.step()) instanceof LoopState loop
                        && key.step().isIterationOf(past.last().key(past.step()))) {
                    state.breakOff(loop, key.step(), outcome);
                } else if (outcome instanceof Outcome.Succeeded && past.reachesOut(mark)) {
                    state.endAround(past.last(), key.step(), mark, outcome);
                }
            }
            case KeyLookup.Nowhere _ -> {}
        }
    }

    private void changeVariables(FinishedStep row) {
        switch (KeyLookup.follow(state.root(), state.handler(), row.key())) {
            case KeyLookup.ToStep(Place place) -> FlowState.changeVariables(place.node(), place.scope(), row.outcome());
            case KeyLookup.ToThePast past -> {
                if (past.changes()) {
                    FlowState.changeVariables(past.node(), past.last(), row.outcome());
                }
            }
            case KeyLookup.ToIteration _, KeyLookup.Nowhere _ -> {}
        }
    }

    private void countResets(StepKey key, int times) {
        if (KeyLookup.follow(state.root(), state.handler(), key) instanceof KeyLookup.ToStep(Place place)) {
            state.touch(place.scope());
            place.scope().countResets(place.step(), times);
        }
    }

    private void retry(StepKey key, Retry retry) {
        if (KeyLookup.follow(state.root(), state.handler(), key) instanceof KeyLookup.ToStep(Place place)) {
            state.touch(place.scope());
            place.scope().retry(place.step(), retry);
        }
    }

    private void insertLive(StepKey key) {
        state.begin();
        if (key.mark().equals(Optional.of(StepKey.Mark.LIMIT))) {
            state.limits().begin(key.step());
        } else if (KeyLookup.follow(state.root(), state.handler(), key.step())
                instanceof KeyLookup.ToStep(Place place)) {
            state.start(place, key);
        }
    }
}
