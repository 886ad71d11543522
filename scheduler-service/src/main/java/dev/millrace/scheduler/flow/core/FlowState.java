package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a run of a flow is on its way: a fold over the rows of its finished steps and the keys of its live jobs. Nothing in it
 * depends on the order of the rows. Mutable and owned by one lane; a transition costs as much as it changes, whatever the size
 * of the flow. Results that nothing can read any more are let go.
 */
public final class FlowState {
    /** Where the whole run is on its way. */
    public enum Phase {
        /** Nothing has happened yet. */
        NEW,
        /** Steps begin and end. */
        RUNNING,
        /** A step failed: what runs may finish, nothing new starts. */
        FAILING,
        /** Over. */
        ENDED
    }

    private final FlowModel model;
    private final RunId run;
    private final JsonValue input;
    private final ScopeState root;
    private final Set<StepKey> live = new HashSet<>();
    private final Set<StepKey> open = new HashSet<>();
    private Phase phase = Phase.NEW;
    private @Nullable Failure failure;
    private long weight;

    private FlowState(FlowModel model, RunId run, Json input) {
        this.model = model;
        this.run = run;
        this.input = JsonValue.of(input);
        this.root = ScopeState.ofFlow(model.graph());
        this.weight = Weights.of(this.input) + root.ownWeight();
    }

    /** The state of a run of which nothing has happened yet. */
    public static FlowState fresh(FlowModel model, RunId run, Json input) {
        return new FlowState(model, run, input);
    }

    /**
     * The state of a run from the database alone.
     *
     * @param finished its rows of history, in any order
     * @param live the steps that have a job in the queue
     */
    public static FlowState fold(
            FlowModel model, RunId run, Json input, Iterable<FinishedStep> finished, Set<StepKey> live) {
        FlowState state = new FlowState(model, run, input);
        FoldOrder.outsideIn(finished).forEach(row -> state.insert(row.key(), row.outcome()));
        live.forEach(state::start);
        return state;
    }

    /** Takes over what {@link FlowMachine#decide} decided about the event. */
    public void apply(FlowEvent event, Decision decision) {
        if (decision.rejection().isPresent()) {
            return;
        }
        if (decision.end().isPresent()) {
            phase = Phase.ENDED;
            return;
        }
        if (event instanceof FlowEvent.StepEnded ended) {
            insert(ended.key(), ended.outcome());
        }
        decision.records().forEach(row -> insert(row.key(), row.outcome()));
        decision.jobs().forEach(job -> start(job.key()));
        decision.waits().forEach(wait -> start(wait.key()));
        decision.runs().forEach(run -> start(run.key()));
    }

    public Phase phase() {
        return phase;
    }

    /** Rough bytes that it holds. */
    public long weight() {
        return weight + Weights.KEY * (live.size() + open.size());
    }

    FlowModel model() {
        return model;
    }

    RunId run() {
        return run;
    }

    JsonValue input() {
        return input;
    }

    ScopeState root() {
        return root;
    }

    /** Steps that have a job in the queue or on a worker. */
    public Set<StepKey> live() {
        return Collections.unmodifiableSet(live);
    }

    /** Containers that have begun and not ended. */
    Set<StepKey> open() {
        return Collections.unmodifiableSet(open);
    }

    Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }

    /** The place of a step; null where a container around it has ended, or its iteration has not begun. */
    @Nullable Place find(StepKey key) {
        return locate(key, false);
    }

    private void start(StepKey key) {
        begin();
        live.add(key);
        Place place = locate(key, true);
        if (place != null) {
            change(place.scope(), () -> place.scope().start(place.step()));
        }
    }

    private void insert(StepKey key, Outcome outcome) {
        begin();
        if (key.isOpening()) {
            open(key.step(), outcome);
        } else {
            end(key, outcome);
        }
    }

    private void begin() {
        if (phase == Phase.NEW) {
            phase = Phase.RUNNING;
        }
    }

    private void open(StepKey key, Outcome outcome) {
        open.add(key);
        Place place = locate(key, true);
        if (place == null || !(outcome instanceof Outcome.Succeeded opening)) {
            return;
        }
        ScopeState scope = place.scope();
        Optional<StepState.Container> container =
                Openings.container(scope, place.step(), JsonValue.of(opening.result()));
        if (container.isPresent()) {
            scope.open(place.step(), container.get());
            weight += container.get().weight();
        }
    }

    private void end(StepKey key, Outcome outcome) {
        live.remove(key);
        open.remove(key);
        Failure.of(key, outcome).ifPresent(other -> {
            failure = Failure.first(model.graph(), failure, other);
            phase = Phase.FAILING;
        });
        Place place = locate(key, true);
        if (place == null) {
            return;
        }
        ScopeState scope = place.scope();
        if (scope.state(place.step()) instanceof StepState.Container container) {
            weight -= container.weight();
        }
        change(scope, () -> scope.end(place.step(), result(outcome)));
        endIteration(scope);
    }

    static @Nullable JsonValue result(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Succeeded succeeded -> JsonValue.of(succeeded.result());
            case Outcome.Skipped skipped -> JsonValue.of(skipped.result());
            case Outcome.Failed failed -> null;
            case Outcome.Canceled canceled -> null;
        };
    }

    private void change(ScopeState scope, Runnable change) {
        long before = scope.ownWeight();
        change.run();
        weight += scope.ownWeight() - before;
    }

    private @Nullable Place locate(StepKey key, boolean create) {
        KeyReader reader = new KeyReader(key);
        ScopeState scope = root;
        while (true) {
            int step = scope.graph().single() ? 0 : scope.graph().position(reader.id());
            if (reader.atEnd()) {
                return new Place(scope, step);
            }
            ScopeState inner = switch (scope.state(step)) {
                case LoopState loop -> iteration(scope, step, loop, reader.iteration(), create);
                case BranchState branch -> branch.scope();
                case StepState.Ended ended -> null;
                case StepState.Live live -> null;
                case null -> null;
            };
            if (inner == null) {
                return null;
            }
            scope = inner;
        }
    }

    private @Nullable ScopeState iteration(ScopeState scope, int step, LoopState loop, int iteration, boolean create) {
        ScopeState known = loop.find(iteration);
        if (known != null
                || !create
                || loop.hasEnded(iteration)
                || !(scope.graph().node(step).work() instanceof Node.ForEach work)) {
            return known;
        }
        ScopeState begun = scope.iteration(step, work.body(), loop, iteration);
        loop.begin(begun);
        weight += begun.ownWeight();
        return begun;
    }

    /** An iteration whose steps have all ended leaves no row: its result is worked out again. */
    private void endIteration(ScopeState scope) {
        ScopeState parent = scope.parent();
        if (!scope.isIteration()
                || !scope.isComplete()
                || parent == null
                || !(parent.state(scope.container()) instanceof LoopState loop)) {
            return;
        }
        Resolution output = new Bindings(this, scope, ScopeState::state).output();
        if (output instanceof Resolution.Resolved resolved) {
            weight -= scope.weight();
            loop.end(scope.iteration(), resolved.value());
            weight += Weights.CHAR * resolved.value().length();
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FlowState that
                && model == that.model
                && run.equals(that.run)
                && input.equals(that.input)
                && phase == that.phase
                && live.equals(that.live)
                && open.equals(that.open)
                && Objects.equals(failure, that.failure)
                && weight == that.weight
                && root.equals(that.root);
    }

    @Override
    public int hashCode() {
        return run.hashCode();
    }

    @Override
    public String toString() {
        return "FlowState[" + run + ", " + phase + ", weight " + weight + ", live " + live + ", open " + open + ", "
                + failure + ", " + root + "]";
    }
}
