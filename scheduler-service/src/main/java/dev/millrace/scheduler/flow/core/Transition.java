package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Utf8;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Works out one decision: what an event ends, what that lets begin, and so on until only workers can go on. Works through a queue
 * of its own, so that neither long lists nor many iterations deepen the stack.
 */
final class Transition {
    /** Something still to be worked through. */
    private sealed interface Work {
        record BeginScope(ScopeState scope) implements Work {}

        record BeginStep(Place place) implements Work {}

        record CompleteScope(ScopeState scope) implements Work {}
    }

    private final FlowState state;
    private final Draft draft = new Draft();
    private final Deque<Work> queue = new ArrayDeque<>();
    private final List<StepRecord> records = new ArrayList<>();
    private final List<StartJob> jobs = new ArrayList<>();
    private final List<StartWait> waits = new ArrayList<>();
    private final List<StartRun> runs = new ArrayList<>();
    private final OpenContainers open;
    private @Nullable Failure failure;
    private @Nullable Outcome result;

    Transition(FlowState state) {
        this.state = state;
        this.open = new OpenContainers(state);
        this.failure = state.failure().orElse(null);
    }

    Decision start() {
        queue.add(new Work.BeginScope(state.root()));
        return workThrough(0);
    }

    /** The job of a live step ended. */
    Decision end(StepKey key, Outcome outcome) {
        Place place = state.find(key);
        if (place == null) {
            Failure.of(key, outcome).ifPresent(this::fail);
        } else {
            end(place, outcome);
        }
        return workThrough(state.live().size() - 1);
    }

    Decision cancel(JobError reason) {
        Outcome canceled = new Outcome.Canceled(reason);
        return Decision.ends(open.closeAll(canceled), canceled);
    }

    private Decision workThrough(int live) {
        for (int done = 0; !queue.isEmpty() && result == null; done++) {
            if (done == FlowLimits.TRANSITION_WORK_MAX) {
                return giveUp(FlowErrors.transitionTooLarge());
            }
            switch (queue.remove()) {
                case Work.BeginScope begin -> beginScope(begin.scope());
                case Work.BeginStep begin -> beginStep(begin.place());
                case Work.CompleteScope complete -> completeScope(complete.scope());
            }
        }
        if (result != null) {
            return Decision.ends(records, result);
        }
        if (failure == null) {
            return Decision.goesOn(records, jobs, waits, runs);
        }
        if (live > 0) {
            return Decision.goesOn(records, List.of(), List.of(), List.of());
        }
        records.addAll(open.closeAfter(failure));
        return Decision.ends(records, new Outcome.Failed(failure.runError()));
    }

    /** Ends the run without any of what was worked out. */
    private Decision giveUp(JobError error) {
        List<StepRecord> ends = new OpenContainers(state).closeAll(new Outcome.Canceled(error));
        return Decision.ends(ends, new Outcome.Failed(error));
    }

    private void beginScope(ScopeState scope) {
        if (scope.graph().nodes().isEmpty()) {
            queue.add(new Work.CompleteScope(scope));
        }
        for (int root : scope.graph().roots()) {
            queue.add(new Work.BeginStep(new Place(scope, root)));
        }
    }

    private void beginStep(Place place) {
        if (failure != null) {
            return;
        }
        switch (place.node().work()) {
            case Node.Task task -> beginTask(place, task);
            case Node.ForEach loop -> beginLoop(place, loop);
            case Node.Switch choice -> beginSwitch(place, choice);
            case Node.Wait wait -> beginWait(place, wait);
            case Node.RunStart start -> beginRun(place, start);
            case Node.Compute compute -> {
                switch (bindings(place.scope()).resolve(compute.result())) {
                    case Resolution.Resolved resolved -> endHere(place, resolved.value());
                    case Resolution.Unresolved unresolved -> endHere(place, FlowErrors.unresolved("value", unresolved));
                }
            }
            case Node.Terminate terminate -> terminate(place, terminate.end());
        }
    }

    private void beginTask(Place place, Node.Task task) {
        switch (bindings(place.scope()).resolve(task.input())) {
            case Resolution.Unresolved unresolved -> endHere(place, FlowErrors.unresolved("input", unresolved));
            case Resolution.Resolved input
            when input.value().kind() != JsonValue.Kind.OBJECT ->
                endHere(
                        place,
                        FlowErrors.wrongType(
                                "input", "an object", input.value().kind().phrase()));
            case Resolution.Resolved input -> {
                draft.put(place, StepState.Live.LIVE);
                jobs.add(new StartJob(
                        place.key(), task.target(), task.name(), input.value().json(), task.options()));
            }
        }
    }

    private void beginWait(Place place, Node.Wait wait) {
        switch (WaitResolution.of(wait.until(), bindings(place.scope()))) {
            case WaitResolution.Broken broken -> endHere(place, broken.error());
            case WaitResolution.Until until -> {
                draft.put(place, StepState.Live.LIVE);
                waits.add(new StartWait(place.key(), until.until()));
            }
        }
    }

    private void beginRun(Place place, Node.RunStart start) {
        Resolution flow = bindings(place.scope()).resolve(start.flow());
        Resolution input = bindings(place.scope()).resolve(start.input());
        if (flow instanceof Resolution.Unresolved unresolved) {
            endHere(place, FlowErrors.unresolved("path of the flow", unresolved));
        } else if (input instanceof Resolution.Unresolved unresolved) {
            endHere(place, FlowErrors.unresolved("input", unresolved));
        } else if (flow instanceof Resolution.Resolved path && input instanceof Resolution.Resolved value) {
            beginRun(place, path.value(), value.value());
        }
    }

    private void beginRun(Place place, JsonValue path, JsonValue input) {
        if (path.kind() != JsonValue.Kind.STRING) {
            endHere(
                    place,
                    FlowErrors.wrongType(
                            "path of the flow", "a string", path.kind().phrase()));
        } else {
            draft.put(place, StepState.Live.LIVE);
            runs.add(new StartRun(place.key(), path.string(), input.json()));
        }
    }

    private void terminate(Place place, StepAction.Terminate end) {
        Resolution value =
                bindings(place.scope()).resolve(end.status() == EndStatus.SUCCEEDED ? end.output() : end.reason());
        switch (value) {
            case Resolution.Unresolved unresolved ->
                endHere(place, FlowErrors.unresolved("end of the run", unresolved));
            case Resolution.Resolved resolved -> {
                Outcome outcome = Terminations.outcome(end.status(), place.key(), resolved.value());
                record(place.key(), place, outcome);
                result = outcome;
                records.addAll(open.closeAll(new Outcome.Canceled(FlowErrors.terminated(place.key()))));
            }
        }
    }

    private void beginLoop(Place place, Node.ForEach loop) {
        switch (bindings(place.scope()).resolve(loop.items())) {
            case Resolution.Unresolved unresolved -> endHere(place, FlowErrors.unresolved("list of items", unresolved));
            case Resolution.Resolved items
            when items.value().kind() != JsonValue.Kind.ARRAY || !items.value().isReadable() ->
                endHere(
                        place,
                        FlowErrors.wrongType(
                                "value of for_each",
                                "an array",
                                items.value().kind().phrase()));
            case Resolution.Resolved items
            when items.value().elements().size() > FlowLimits.LOOP_ITEMS_MAX ->
                endHere(place, FlowErrors.tooManyItems(items.value().elements().size()));
            case Resolution.Resolved items -> openLoop(place, loop, items.value());
        }
    }

    private void openLoop(Place place, Node.ForEach loop, JsonValue items) {
        recordOpening(place, items);
        LoopState opened = new LoopState(items);
        draft.put(place, opened);
        if (opened.size() == 0) {
            endHere(place, JsonValue.EMPTY_ARRAY);
        }
        for (int i = 0; i < Math.min(loop.parallelism(), opened.size()); i++) {
            beginNextIteration(place, loop, opened);
        }
    }

    private void beginNextIteration(Place place, Node.ForEach loop, LoopState opened) {
        int next = draft.takeIteration(opened);
        if (next >= 0) {
            queue.add(new Work.BeginScope(place.scope().iteration(place.step(), loop.body(), opened, next)));
        }
    }

    private void beginSwitch(Place place, Node.Switch choice) {
        switch (SwitchDecision.decide(choice, bindings(place.scope()))) {
            case SwitchDecision.Undecided undecided ->
                endHere(place, FlowErrors.unresolved("condition", undecided.why()));
            case SwitchDecision.Decided decided -> openSwitch(place, Openings.decision(choice, decided.branch()));
        }
    }

    private void openSwitch(Place place, JsonValue decision) {
        recordOpening(place, decision);
        Optional<StepState.Container> branch = Openings.container(place.scope(), place.step(), decision);
        if (branch.isPresent() && branch.get() instanceof BranchState taken) {
            draft.put(place, taken);
            queue.add(new Work.BeginScope(taken.scope()));
        } else {
            endHere(place, JsonValue.NULL);
        }
    }

    private void completeScope(ScopeState scope) {
        ScopeState parent = scope.parent();
        Resolution output = bindings(scope).output();
        if (parent == null) {
            result = switch (output) {
                case Resolution.Resolved resolved ->
                    new Outcome.Succeeded(resolved.value().json());
                case Resolution.Unresolved unresolved ->
                    new Outcome.Failed(FlowErrors.unresolved("output of the flow", unresolved));
            };
            return;
        }
        Place container = new Place(parent, scope.container());
        switch (draft.of(parent, scope.container())) {
            case LoopState loop -> completeIteration(container, loop, scope, output);
            case BranchState branch -> completeBranch(container, output);
            case StepState.Ended ended -> {}
            case StepState.Live live -> throw new IllegalStateException(container.key() + " is no container");
            case null -> throw new IllegalStateException(container.key() + " has not begun");
        }
    }

    private void completeBranch(Place container, Resolution output) {
        switch (output) {
            case Resolution.Resolved resolved -> endHere(container, resolved.value());
            case Resolution.Unresolved unresolved ->
                endHere(container, FlowErrors.unresolved("output of the branch", unresolved));
        }
    }

    private void completeIteration(Place container, LoopState loop, ScopeState scope, Resolution output) {
        switch (output) {
            case Resolution.Unresolved unresolved ->
                endHere(container, FlowErrors.unresolved("output of iteration " + scope.iteration(), unresolved));
            case Resolution.Resolved resolved -> {
                draft.endIteration(loop, scope.iteration(), resolved.value());
                continueLoop(container, loop);
            }
        }
    }

    private void continueLoop(Place container, LoopState loop) {
        int bytesMax = state.model().payloadBytesMax();
        if (draft.resultLength(loop) > bytesMax) {
            endHere(container, FlowErrors.gatheredTooLarge(bytesMax));
        } else if (draft.isComplete(loop)) {
            JsonValue gathered = draft.gather(loop);
            if (Utf8.exceeds(gathered, bytesMax)) {
                endHere(container, FlowErrors.gatheredTooLarge(bytesMax));
            } else {
                endHere(container, gathered);
            }
        } else if (failure == null && container.node().work() instanceof Node.ForEach work) {
            beginNextIteration(container, work, loop);
        }
    }

    /** Ends a step that needed no worker. */
    private void endHere(Place place, JsonValue result) {
        endHere(place, new Outcome.Succeeded(result.json()));
    }

    private void endHere(Place place, JobError error) {
        endHere(place, new Outcome.Failed(error));
    }

    private void endHere(Place place, Outcome outcome) {
        record(place.key(), place, outcome);
        open.close(place.key());
        end(place, outcome);
    }

    private void recordOpening(Place place, JsonValue opening) {
        record(place.key().opening(), place, new Outcome.Succeeded(opening.json()));
        open.open(place.key(), place.node().work().kind());
    }

    private void record(StepKey key, Place place, Outcome outcome) {
        records.add(new StepRecord(key, place.node().work().kind(), Json.NULL, outcome));
    }

    private void end(Place place, Outcome outcome) {
        draft.end(place, FlowState.result(outcome));
        Failure.of(place.key(), outcome).ifPresent(this::fail);
        ScopeState scope = place.scope();
        for (int successor : place.node().successors()) {
            if (draft.meetNeed(scope, successor)) {
                queue.add(new Work.BeginStep(new Place(scope, successor)));
            }
        }
        if (draft.isComplete(scope)) {
            queue.add(new Work.CompleteScope(scope));
        }
    }

    private void fail(Failure other) {
        failure = Failure.first(state.model().graph(), failure, other);
    }

    private Bindings bindings(ScopeState scope) {
        return new Bindings(state, scope, draft);
    }
}
