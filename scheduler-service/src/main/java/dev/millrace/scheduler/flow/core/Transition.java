package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.Utf8;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
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
    sealed interface Work {
        record BeginScope(ScopeState scope) implements Work {}

        record BeginStep(Place place) implements Work {}

        /** Begins the step itself: what stands before it is done. */
        record Act(Place place) implements Work {}

        record CompleteScope(ScopeState scope) implements Work {}

        /** A loop goes on of which so many iterations are in progress. */
        record FillLoop(LoopState loop, int active) implements Work {}
    }

    private final FlowState state;
    private final Deque<Work> queue = new ArrayDeque<>();
    private final List<StepRecord> records = new ArrayList<>();
    private final Starts starts = new Starts();
    /** How many iterations have been begun here, whether or not anything of them has come about yet. */
    private final IdentityHashMap<LoopState, Integer> taken = new IdentityHashMap<>();
    /** Lists and containers that may have come to their early end. */
    private final List<Frame> ending = new ArrayList<>();

    private @Nullable Outcome result;
    private Closings containersEnd = Closings.alike(new Outcome.Canceled(FlowErrors.endedEarly()));

    Transition(FlowState state) {
        this.state = state;
    }

    Decision start() {
        state.begin();
        queue.add(new Work.BeginScope(state.root()));
        return workThrough();
    }

    /** The job of a live step, or a wait, ended. */
    Decision end(StepKey key, Outcome outcome) {
        Place place = state.place(key);
        noteEnding(place.scope());
        if (key.mark().isEmpty()) {
            if (!retries(place, outcome)) {
                state.end(place, outcome);
                follow(place, outcome);
            }
        } else {
            state.endDelay(place);
            if (Failure.of(state.model(), place.key(), outcome).isEmpty()) {
                queue.add(new Work.Act(place));
            } else {
                endHere(place, outcome);
            }
        }
        return workThrough();
    }

    /** A live step is skipped, or one before which a wait is. */
    Decision skip(StepKey key, Json result) {
        Outcome skipped = new Outcome.Skipped(result);
        if (key.mark().isEmpty()) {
            return end(key, skipped);
        }
        Place place = state.place(key);
        noteEnding(place.scope());
        state.endDelay(place);
        endHere(place, skipped);
        return workThrough();
    }

    /** Begins whatever is ready and has not begun, in every list in progress. */
    Decision reopen() {
        state.begin();
        Reopening reopening = Reopening.of(state);
        queue.addAll(reopening.work());
        ending.addAll(reopening.ending());
        return workThrough();
    }

    /** Ends the run now. */
    Decision fail(JobError error) {
        return endRun(new Outcome.Failed(error), Closings.alike(new Outcome.Canceled(error)));
    }

    Decision cancel(JobError reason) {
        Outcome canceled = new Outcome.Canceled(reason);
        return endRun(canceled, Closings.alike(canceled));
    }

    private Decision workThrough() {
        int done = 0;
        while (result == null) {
            Work work = queue.poll();
            if (work == null) {
                Frame ended = nextEnded();
                if (ended == null) {
                    return starts.decide(state, records);
                }
                endFrame(ended);
            } else if (++done > FlowLimits.TRANSITION_WORK_MAX) {
                return giveUp(FlowErrors.transitionTooLarge());
            } else {
                work(work);
            }
        }
        return endRun(result, containersEnd);
    }

    private void work(Work work) {
        switch (work) {
            case Work.BeginScope begin -> beginScope(begin.scope());
            case Work.BeginStep begin -> beginStep(begin.place());
            case Work.Act act -> act(act.place());
            case Work.CompleteScope complete -> completeScope(complete.scope());
            case Work.FillLoop(LoopState loop, int active) -> fillLoop(loop, active);
        }
    }

    /** Ends the run; containers still in progress end like this. */
    private Decision endRun(Outcome outcome, Closings containers) {
        records.addAll(containers.inside(state.root()).inside(state.handler()).records());
        if (state.handler() != null) {
            records.add(new StepRecord(StepKey.FAILURE, StepKind.SUB_FLOW, Json.NULL, outcome));
        }
        state.finish();
        return Decision.ends(records, outcome);
    }

    /** Ends the run without any of what was worked out. */
    private Decision giveUp(JobError error) {
        Outcome canceled = new Outcome.Canceled(error);
        Set<String> open = new TreeSet<>();
        Closings.alike(canceled)
                .inside(state.root())
                .inside(state.handler())
                .records()
                .forEach(row -> open.add(row.key().text()));
        for (StepRecord row : records) {
            if (isContainer(row.kind())
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
        return Decision.ends(ends, new Outcome.Failed(error));
    }

    private static boolean isContainer(StepKind kind) {
        return switch (kind) {
            case FOR_EACH, SWITCH, WHILE, PARALLEL, SUB_FLOW -> true;
            case SCRIPT, HANDLER, WAIT, COMPUTE, SET_VARIABLES, TERMINATE, START_RUN, RESET -> false;
        };
    }

    // Lists and containers that end early

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
        ending.removeIf(frame -> !frame.isAttached() || isHandled(frame));
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
            close(Closings.after(failure).inside(scope));
            endIteration(loop, scope, new Outcome.Succeeded(failure.tolerated().json()));
            afterIteration(loop, scope, failure.tolerated());
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
        containersEnd = Closings.after(failure);
        result = new Outcome.Failed(handled.runError());
    }

    private void beginHandler(Failure failure) {
        Closings closings = Closings.after(failure).inside(state.root());
        close(closings);
        records.add(new StepRecord(
                StepKey.FAILURE.opening(),
                StepKind.SUB_FLOW,
                Json.NULL,
                new Outcome.Succeeded(HandledFailure.write(failure).json())));
        state.openHandler(failure);
        closings.endOutermost(state);
        queue.clear();
        queue.add(new Work.BeginScope(Objects.requireNonNull(state.handler())));
    }

    private void stopScope(ScopeState scope, ScopeState.Stop stop) {
        LoopState loop = scope.loop();
        ScopeState parent = scope.parent();
        if (loop == null && (parent == null || scope.is(state.handler()))) {
            endFlow(new Outcome.Succeeded(stop.result().json()));
            return;
        }
        close(Closings.alike(new Outcome.Canceled(FlowErrors.endedEarly())).inside(scope));
        if (loop != null) {
            endIteration(loop, scope, new Outcome.Succeeded(stop.result().json()));
            if (stop.breaks()) {
                breakOff(loop, scope, new Outcome.Succeeded(Json.NULL));
            }
            afterIteration(loop, scope, stop.result());
        } else {
            endHere(
                    new Place(Objects.requireNonNull(parent), scope.container()),
                    new Outcome.Succeeded(stop.result().json()));
        }
    }

    /** The steps of the run, or those that run since it failed, have come to their end. */
    private void endFlow(Outcome outcome) {
        Failure handled = state.root().failure();
        result = state.handler() == null || handled == null ? outcome : new Outcome.Failed(handled.runError());
    }

    private void failContainer(Place place, Failure failure) {
        StepPolicy policy = place.node().policy();
        Closings closings = Closings.after(failure).inside(place);
        close(closings);
        if (mayRetry(place, failure)) {
            beginAgain(place);
        } else {
            boolean own = failure.key().equals(place.key()) || policy.onFailure() != StepPolicy.OnFailure.FAIL;
            endHere(place, new Outcome.Failed(own ? failure.error() : failure.runError()));
        }
    }

    /** Whether a failed task begins again. Where that depends on no condition, the queue has seen to it. */
    private boolean retries(Place place, Outcome outcome) {
        boolean retries = place.node().policy().retryIf().isPresent()
                && place.scope().mayBegin()
                && outcome instanceof Outcome.Failed(JobError error)
                && error.retryable()
                && Failure.of(state.model(), place.key(), outcome)
                        .filter(failure -> mayRetry(place, failure))
                        .isPresent();
        if (retries) {
            beginAgain(place);
        }
        return retries;
    }

    private void beginAgain(Place place) {
        records.add(new StepRecord(place.key(), StepKind.RESET, Json.NULL, new Outcome.Succeeded(Json.NULL)));
        state.reset(place);
        int resets = place.scope().resets(place.step());
        beginDelayed(place, place.node().policy().retry().delayBefore(resets, 1));
    }

    private boolean mayRetry(Place place, Failure failure) {
        if (place.scope().resets(place.step()) >= place.node().policy().retry().retriesMax()) {
            return false;
        }
        Optional<Template> retryIf = place.node().policy().retryIf();
        if (retryIf.isEmpty()) {
            return true;
        }
        Bindings bindings = Bindings.of(state, place.scope()).withError(failure.value());
        return bindings.resolve(retryIf.get()) instanceof Resolution.Resolved resolved
                && resolved.value().isTruthy();
    }

    private void close(Closings closings) {
        records.addAll(closings.leave(state).records());
    }

    // Beginnings

    private void beginScope(ScopeState scope) {
        if (scope.graph().nodes().isEmpty()) {
            queue.add(new Work.CompleteScope(scope));
        }
        for (int root : scope.graph().roots()) {
            queue.add(new Work.BeginStep(new Place(scope, root)));
        }
    }

    private void beginStep(Place place) {
        if (!place.scope().mayBegin()) {
            return;
        }
        StepPolicy policy = place.node().policy();
        if (policy.skip().isPresent() && isSkipped(place, policy.skip().get())) {
            return;
        }
        if (policy.mock().isPresent()) {
            endHere(place, "mock", policy.mock().get());
            return;
        }
        if (policy.delay().isEmpty()) {
            queue.addFirst(new Work.Act(place));
            return;
        }
        switch (WaitResolution.of(
                new StepAction.WaitFor.Delay(policy.delay().get()), Bindings.of(state, place.scope()))) {
            case WaitResolution.Broken broken -> failHere(place, broken.error());
            case WaitResolution.Until(StartWait.Until.Passed passed) -> beginDelayed(place, passed.time());
            case WaitResolution.Until until -> throw new IllegalStateException("no delay: " + until);
        }
    }

    private boolean isSkipped(Place place, StepPolicy.Skip skip) {
        Bindings bindings = Bindings.of(state, place.scope());
        switch (bindings.resolve(skip.when())) {
            case Resolution.Unresolved unresolved ->
                failHere(place, FlowErrors.unresolved("condition to skip the step", unresolved));
            case Resolution.Resolved when
            when !when.value().isTruthy() -> {
                return false;
            }
            case Resolution.Resolved _ -> {
                switch (bindings.resolve(skip.result())) {
                    case Resolution.Unresolved unresolved ->
                        failHere(place, FlowErrors.unresolved("result of the skipped step", unresolved));
                    case Resolution.Resolved value ->
                        endHere(place, new Outcome.Skipped(value.value().json()));
                }
            }
        }
        return true;
    }

    private void beginDelayed(Place place, Duration delay) {
        if (delay.isPositive()) {
            StepKey key = place.key().with(StepKey.Mark.DELAY);
            starts.addDelay(place, new StartWait(key, new StartWait.Until.Passed(delay)));
        } else {
            queue.addFirst(new Work.Act(place));
        }
    }

    private void act(Place place) {
        if (!place.scope().mayBegin()) {
            return;
        }
        Bindings bindings = Bindings.of(state, place.scope());
        switch (place.node().work()) {
            case Node.Task task -> {
                switch (TaskResolution.of(task, place.key(), bindings)) {
                    case TaskResolution.Job job -> starts.add(place, job.job());
                    case TaskResolution.Broken broken -> failHere(place, broken.error());
                }
            }
            case Node.Wait wait -> {
                switch (WaitResolution.of(wait.until(), bindings)) {
                    case WaitResolution.Until until -> starts.add(place, new StartWait(place.key(), until.until()));
                    case WaitResolution.Broken broken -> failHere(place, broken.error());
                }
            }
            case Node.RunStart start ->
                beginRun(place, bindings.resolve(start.flow()), bindings.resolve(start.input()));
            case Node.ForEach loop -> beginForEach(place, bindings.resolve(loop.items()));
            case Node.While loop -> beginWhile(place, loop);
            case Node.Parallel _ -> beginIterations(place, open(place, JsonValue.NULL));
            case Node.Switch choice -> beginSwitch(place, choice, SwitchDecision.decide(choice, bindings));
            case Node.SubFlow sub -> beginSubFlow(place, sub, bindings.resolve(sub.input()));
            case Node.Compute compute -> endHere(place, "value", compute.result());
            case Node.SetVariables set -> setVariables(place, bindings.resolve(set.values()));
            case Node.Terminate terminate -> terminate(place, terminate.end(), bindings);
        }
    }

    private void beginRun(Place place, Resolution flow, Resolution input) {
        if (flow instanceof Resolution.Unresolved unresolved) {
            failHere(place, FlowErrors.unresolved("path of the flow", unresolved));
        } else if (input instanceof Resolution.Unresolved unresolved) {
            failHere(place, FlowErrors.unresolved("input", unresolved));
        } else if (flow instanceof Resolution.Resolved path && input instanceof Resolution.Resolved value) {
            if (path.value().kind() == JsonValue.Kind.STRING) {
                starts.add(
                        place,
                        new StartRun(
                                place.key(),
                                path.value().string(),
                                value.value().json()));
            } else {
                failHere(
                        place,
                        FlowErrors.wrongType(
                                "path of the flow",
                                "a string",
                                path.value().kind().phrase()));
            }
        }
    }

    private void beginForEach(Place place, Resolution items) {
        switch (items) {
            case Resolution.Unresolved unresolved ->
                failHere(place, FlowErrors.unresolved("list of items", unresolved));
            case Resolution.Resolved resolved
            when resolved.value().kind() != JsonValue.Kind.ARRAY
                    || !resolved.value().isReadable() ->
                failHere(
                        place,
                        FlowErrors.wrongType(
                                "value of for_each",
                                "an array",
                                resolved.value().kind().phrase()));
            case Resolution.Resolved resolved
            when resolved.value().elements().size() > FlowLimits.LOOP_ITEMS_MAX ->
                failHere(
                        place,
                        FlowErrors.tooManyItems(resolved.value().elements().size()));
            case Resolution.Resolved resolved -> beginIterations(place, open(place, resolved.value()));
        }
    }

    private void beginIterations(Place place, @Nullable StepState opened) {
        if (opened instanceof LoopState loop) {
            if (loop.size() == 0) {
                endLoop(place, loop);
            }
            for (int i = 0; i < Math.min(loop.fan().parallelism(), loop.size()); i++) {
                beginNextIteration(loop);
            }
        }
    }

    private void beginWhile(Place place, Node.While work) {
        if (!(open(place, JsonValue.NULL) instanceof LoopState loop)) {
            throw new IllegalStateException(place.key() + " is no loop");
        }
        beginWhile(place, loop, work);
    }

    private void beginWhile(Place place, LoopState loop, Node.While work) {
        if (work.conditionFirst()) {
            continueWhile(place, loop, work, loop.newIteration(0), JsonValue.NULL);
        } else {
            beginNextIteration(loop);
        }
    }

    /** Begins iterations up to the limit, or ends the loop where none is left. What a loop decides after each iteration it has decided. */
    private void fillLoop(LoopState loop, int active) {
        Place place = new Place(loop.scope(), loop.step());
        if (!loop.mayBegin()) {
            return;
        }
        if (loop.fan() instanceof Node.While work && loop.next() == 0) {
            beginWhile(place, loop, work);
            return;
        }
        boolean more = !loop.isBroken() && taken(loop) < loop.size();
        if (!more && loop.done() == taken(loop)) {
            endLoop(place, loop);
        }
        for (int begun = active; more && begun < loop.fan().parallelism() && taken(loop) < loop.size(); begun++) {
            beginNextIteration(loop);
        }
    }

    private void beginNextIteration(LoopState loop) {
        int next = taken(loop);
        taken.put(loop, next + 1);
        queue.add(new Work.BeginScope(loop.newIteration(next)));
    }

    private int taken(LoopState loop) {
        return Math.max(loop.next(), taken.getOrDefault(loop, 0));
    }

    private void beginSwitch(Place place, Node.Switch choice, SwitchDecision decision) {
        switch (decision) {
            case SwitchDecision.Undecided undecided ->
                failHere(place, FlowErrors.unresolved("condition", undecided.why()));
            case SwitchDecision.Decided decided -> {
                if (open(place, Openings.decision(choice, decided.branch())) instanceof BranchState taken) {
                    queue.add(new Work.BeginScope(taken.scope()));
                } else {
                    endHere(place, new Outcome.Succeeded(Json.NULL));
                }
            }
        }
    }

    private void beginSubFlow(Place place, Node.SubFlow sub, Resolution input) {
        switch (input) {
            case Resolution.Unresolved unresolved -> failHere(place, FlowErrors.unresolved("input", unresolved));
            case Resolution.Resolved resolved -> {
                switch (sub.inputs().check(resolved.value().json())) {
                    case RunInput.Refused refused -> failHere(place, FlowErrors.inputRefused(refused.problems()));
                    case RunInput.Accepted accepted -> {
                        if (open(place, JsonValue.of(accepted.input())) instanceof BranchState opened) {
                            queue.add(new Work.BeginScope(opened.scope()));
                        }
                    }
                }
            }
        }
    }

    private @Nullable StepState open(Place place, JsonValue opening) {
        record(place.key().opening(), place, new Outcome.Succeeded(opening.json()));
        state.open(place, opening);
        return place.state();
    }

    private void setVariables(Place place, Resolution values) {
        switch (values) {
            case Resolution.Unresolved unresolved -> failHere(place, FlowErrors.unresolved("variables", unresolved));
            case Resolution.Resolved resolved
            when resolved.value().kind() != JsonValue.Kind.OBJECT ->
                failHere(
                        place,
                        FlowErrors.wrongType(
                                "variables",
                                "an object",
                                resolved.value().kind().phrase()));
            case Resolution.Resolved resolved -> {
                long number = FlowState.flowOf(place.scope()).nextChange();
                endHere(
                        place,
                        new Outcome.Succeeded(
                                VariableChange.of(number, resolved.value()).json()));
            }
        }
    }

    private void terminate(Place place, StepAction.Terminate end, Bindings bindings) {
        Resolution value = bindings.resolve(Terminations.isGood(end.status()) ? end.output() : end.reason());
        if (!(value instanceof Resolution.Resolved resolved)) {
            if (value instanceof Resolution.Unresolved unresolved) {
                failHere(place, FlowErrors.unresolved("end of the flow", unresolved));
            }
            return;
        }
        Outcome outcome = Terminations.outcome(end.status(), place.key(), resolved.value());
        if (FlowState.flowScope(place.scope()).is(state.root())) {
            record(place.key(), place, outcome);
            endFlow(outcome);
        } else {
            endHere(place, new Outcome.Succeeded(Json.NULL));
            mark(
                    place,
                    StepKey.Mark.END,
                    outcome instanceof Outcome.Skipped(Json output) ? new Outcome.Succeeded(output) : outcome);
        }
    }

    // Ends

    private void completeScope(ScopeState scope) {
        LoopState loop = scope.loop();
        if (loop != null && loop.hasEnded(scope.iteration())) {
            JsonValue last = loop.result(scope.iteration());
            afterIteration(loop, scope, last == null ? JsonValue.NULL : last);
        } else if (scope.mayBegin()) {
            complete(scope, loop, Bindings.of(state, scope).output());
        }
    }

    private void complete(ScopeState scope, @Nullable LoopState loop, Resolution output) {
        ScopeState parent = scope.parent();
        if (loop != null) {
            switch (output) {
                case Resolution.Resolved resolved -> {
                    endIteration(
                            loop, scope, new Outcome.Succeeded(resolved.value().json()));
                    afterIteration(loop, scope, resolved.value());
                }
                case Resolution.Unresolved unresolved ->
                    failIteration(
                            loop, scope, FlowErrors.unresolved("output of iteration " + scope.iteration(), unresolved));
            }
        } else if (parent == null || scope.is(state.handler())) {
            endFlow(
                    switch (output) {
                        case Resolution.Resolved resolved ->
                            new Outcome.Succeeded(resolved.value().json());
                        case Resolution.Unresolved unresolved ->
                            new Outcome.Failed(FlowErrors.unresolved("output of the flow", unresolved));
                    });
        } else {
            Place container = new Place(parent, scope.container());
            switch (output) {
                case Resolution.Resolved resolved ->
                    endHere(container, new Outcome.Succeeded(resolved.value().json()));
                case Resolution.Unresolved unresolved ->
                    failHere(container, FlowErrors.unresolved("output of the branch", unresolved));
            }
        }
    }

    private void failIteration(LoopState loop, ScopeState scope, JobError error) {
        if (scope.isTolerant()) {
            Failure failure =
                    new Failure(scope.key(), error, false, state.model().order(scope.key()));
            endIteration(loop, scope, new Outcome.Succeeded(failure.tolerated().json()));
            afterIteration(loop, scope, failure.tolerated());
        } else {
            endIteration(loop, scope, new Outcome.Failed(error));
        }
    }

    private void endIteration(LoopState loop, ScopeState scope, Outcome outcome) {
        records.add(new StepRecord(scope.key(), loop.fan().kind(), Json.NULL, outcome));
        state.endIteration(loop, scope.iteration(), scope.key(), outcome);
    }

    private void breakOff(LoopState loop, ScopeState scope, Outcome outcome) {
        StepKey key = scope.key();
        records.add(new StepRecord(key.with(StepKey.Mark.BREAK), loop.fan().kind(), Json.NULL, outcome));
        state.breakOff(loop, key, outcome);
    }

    private void afterIteration(LoopState loop, ScopeState scope, JsonValue last) {
        Optional<Template> breakIf = loop.fan().options().breakIf();
        if (!loop.mayBegin()) {
            return;
        }
        if (breakIf.isPresent() && !loop.isBroken()) {
            switch (Bindings.of(state, scope).withResult(last).resolve(breakIf.get())) {
                case Resolution.Unresolved unresolved ->
                    breakOff(
                            loop,
                            scope,
                            new Outcome.Failed(FlowErrors.unresolved("condition to leave the loop", unresolved)));
                case Resolution.Resolved resolved -> {
                    if (resolved.value().isTruthy()) {
                        breakOff(loop, scope, new Outcome.Succeeded(Json.NULL));
                    }
                }
            }
            if (!loop.mayBegin()) {
                return;
            }
        }
        Place container = new Place(loop.scope(), loop.step());
        if (!loop.isBroken() && loop.fan() instanceof Node.While work) {
            continueWhile(container, loop, work, scope, last);
        } else if (!loop.isBroken() && taken(loop) < loop.size()) {
            beginNextIteration(loop);
        } else if (loop.done() == taken(loop)) {
            endLoop(container, loop);
        }
    }

    private void continueWhile(Place place, LoopState loop, Node.While work, ScopeState scope, JsonValue last) {
        switch (Bindings.of(state, scope).withResult(last).resolve(work.condition())) {
            case Resolution.Unresolved unresolved -> failHere(place, FlowErrors.unresolved("condition", unresolved));
            case Resolution.Resolved resolved -> {
                if (!resolved.value().isTruthy()) {
                    endLoop(place, loop);
                } else if (taken(loop) == work.iterationsMax()) {
                    failHere(place, FlowErrors.tooManyIterations(work.iterationsMax()));
                } else {
                    beginNextIteration(loop);
                }
            }
        }
    }

    private void endLoop(Place container, LoopState loop) {
        int bytesMax = state.model().payloadBytesMax();
        switch (LoopResult.gather(state, loop)) {
            case Resolution.Unresolved unresolved ->
                failHere(container, FlowErrors.unresolved("name of an iteration", unresolved));
            case Resolution.Resolved gathered
            when Utf8.exceeds(gathered.value(), bytesMax) -> failHere(container, FlowErrors.gatheredTooLarge(bytesMax));
            case Resolution.Resolved gathered ->
                endHere(container, new Outcome.Succeeded(gathered.value().json()));
        }
    }

    /** Ends a step that needed no worker. */
    private void endHere(Place place, Outcome outcome) {
        record(place.key(), place, outcome);
        state.end(place, outcome);
        follow(place, outcome);
    }

    private void endHere(Place place, String what, Template value) {
        switch (Bindings.of(state, place.scope()).resolve(value)) {
            case Resolution.Resolved resolved ->
                endHere(place, new Outcome.Succeeded(resolved.value().json()));
            case Resolution.Unresolved unresolved -> failHere(place, FlowErrors.unresolved(what, unresolved));
        }
    }

    private void failHere(Place place, JobError error) {
        endHere(place, new Outcome.Failed(error));
    }

    private void record(StepKey key, Place place, Outcome outcome) {
        records.add(new StepRecord(key, place.node().work().kind(), Json.NULL, outcome));
    }

    /** What the end of a step lets begin or end. */
    private void follow(Place place, Outcome outcome) {
        ScopeState scope = place.scope();
        if (outcome instanceof Outcome.Succeeded succeeded) {
            stopEarly(place, JsonValue.of(succeeded.result()));
        }
        for (int successor : place.node().successors()) {
            if (scope.unmet(successor) == 0) {
                queue.add(new Work.BeginStep(new Place(scope, successor)));
            }
        }
        LoopState loop = scope.loop();
        if (scope.isComplete() || (loop != null && loop.hasEnded(scope.iteration()))) {
            queue.add(new Work.CompleteScope(scope));
        }
    }

    private void stopEarly(Place place, JsonValue last) {
        Bindings bindings = Bindings.of(state, place.scope()).withResult(last);
        for (StepPolicy.Stop stop : place.node().policy().stops()) {
            switch (bindings.resolve(stop.when())) {
                case Resolution.Unresolved unresolved -> {
                    JobError error = FlowErrors.unresolved("condition to stop", unresolved);
                    mark(place, StepKey.Mark.STOP, new Outcome.Failed(error));
                    return;
                }
                case Resolution.Resolved when
                when when.value().isTruthy() -> {
                    stop(place, stop, last, bindings);
                    return;
                }
                case Resolution.Resolved _ -> {}
            }
        }
    }

    private void stop(Place place, StepPolicy.Stop stop, JsonValue last, Bindings bindings) {
        boolean inLoop = FlowState.iterationAround(place.scope()).isIteration();
        StepKey.Mark mark = switch (stop.extent()) {
            case LIST -> StepKey.Mark.STOP;
            case LOOP -> inLoop ? StepKey.Mark.BREAK : StepKey.Mark.END;
            case RUN -> StepKey.Mark.END;
        };
        if (stop.failure().isPresent()) {
            JobError error = switch (bindings.resolve(stop.failure().get())) {
                case Resolution.Resolved message -> FlowErrors.stopped(message.value());
                case Resolution.Unresolved unresolved -> FlowErrors.unresolved("message", unresolved);
            };
            mark(place, mark, new Outcome.Failed(error));
        } else if (mark == StepKey.Mark.END
                && FlowState.flowScope(place.scope()).is(state.root())) {
            endFlow(new Outcome.Succeeded(last.json()));
        } else {
            mark(place, mark, new Outcome.Succeeded(last.json()));
        }
    }

    private void mark(Place place, StepKey.Mark mark, Outcome outcome) {
        record(place.key().with(mark), place, outcome);
        state.endEarly(place, mark, outcome);
    }
}
