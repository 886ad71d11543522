package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.LoopSoFar;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.HandledFlow;
import dev.millrace.scheduler.flow.core.state.Failure;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.flow.core.state.LoopState;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.Retry;
import dev.millrace.scheduler.flow.core.state.ScopeState;
import dev.millrace.scheduler.queue.core.JobId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The values that the expressions of one scope can read. Inside a sub-flow, they see nothing of the flow around it.
 *
 * @param result of the step itself, while the consequences of its end are decided
 * @param error of the step itself, while the consequences of its end are decided
 * @param retry number of the retry that the step prepares
 * @param job id of the new job, while its input is resolved
 */
record Bindings(
        FlowState state,
        ScopeState scope,
        Optional<JsonValue> result,
        Optional<JsonValue> error,
        OptionalInt retry,
        Optional<NewJobId> job)
        implements Scope {
    static Bindings of(FlowState state, ScopeState scope) {
        return new Bindings(state, scope, Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());
    }

    /** Returns what the expressions of a step can read when the step begins. */
    static Bindings of(FlowState state, Place place) {
        return HookedAttempt.see(of(state, place.scope()), place);
    }

    Bindings withResult(JsonValue value) {
        return new Bindings(state, scope, Optional.of(value), error, retry, job);
    }

    Bindings withError(JsonValue value) {
        return new Bindings(state, scope, result, Optional.of(value), retry, job);
    }

    Bindings withRetry(Retry value) {
        return new Bindings(state, scope, result, Optional.of(value.error()), OptionalInt.of(value.number()), job);
    }

    /** The same for the wait after so many requests, which {@code retry} tells then. */
    Bindings withRequests(int requests) {
        return new Bindings(state, scope, result, error, OptionalInt.of(requests), job);
    }

    /** The same for the input of a job that may need its id. */
    Bindings withJob(NewJobId id) {
        return new Bindings(state, scope, result, error, retry, Optional.of(id));
    }

    @Override
    public OptionalLong now() {
        return state.ids().map(ids -> OptionalLong.of(ids.nowMillis())).orElseGet(OptionalLong::empty);
    }

    @Override
    public Optional<String> jobId() {
        return job.flatMap(NewJobId::take).map(JobId::toString);
    }

    /** Resolves the output of the scope after all its steps have ended. */
    Resolution output() {
        Graph graph = scope.graph();
        if (graph.output().isPresent()) {
            return resolve(graph.output().get());
        }
        int size = graph.nodes().size();
        return new Resolution.Resolved(size == 0 ? JsonValue.NULL : orNull(scope.result(size - 1)));
    }

    Resolution resolve(Template template) {
        return template.resolve(this, state.model().payloadBytesMax());
    }

    @Override
    public JsonValue inputs() {
        return scope.flow().input();
    }

    @Override
    public String runId() {
        return state.run().toString();
    }

    @Override
    public JsonValue variables() {
        return scope.flow().variables();
    }

    @Override
    public JsonValue env() {
        return scope.flow().env();
    }

    /**
     * Null if the step is in a branch that was not taken. Also null if the step has not ended, which is possible if the
     * reader does not depend on it.
     */
    @Override
    public JsonValue stepResult(String id) {
        return findStepResult(id).orElse(JsonValue.NULL);
    }

    @Override
    public Optional<JsonValue> findStepResult(String id) {
        return find(id, ScopeState::result);
    }

    @Override
    public boolean hasSucceeded(String id) {
        return find(id, ScopeState::hasSucceeded).orElse(false);
    }

    /** Finds what the innermost list that knows a step tells about it. */
    private <T> Optional<T> find(String id, AtPlace<T> tell) {
        for (ScopeState level = scope; level != null; level = around(level)) {
            Integer place = level.graph().byId().get(id);
            if (place == null) {
                place = level.graph().slot(id);
            }
            if (place != null) {
                return Optional.ofNullable(tell.of(level, place));
            }
        }
        return Optional.empty();
    }

    /** What a list tells about one of its places; null for nothing. */
    @FunctionalInterface
    private interface AtPlace<T> {
        @Nullable T of(ScopeState list, int place);
    }

    @Override
    public Optional<LoopSoFar> findLoop(String id) {
        for (ScopeState level = scope; level != null; level = around(level)) {
            Integer place = level.graph().byId().get(id);
            if (place != null) {
                return level.state(place) instanceof LoopState loop && loop.isSeen()
                        ? Optional.of(loop.soFar())
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<JsonValue> resultsSoFar() {
        LoopState loop = scope.loop();
        return loop == null
                ? Optional.empty()
                : Optional.of(LoopResult.soFar(loop, state.model().payloadBytesMax()));
    }

    @Override
    public JsonValue item() {
        return item(0).orElseThrow(Bindings::outsideOfLoops);
    }

    @Override
    public int index() {
        return iteration(0).map(ScopeState::iteration).orElseThrow(Bindings::outsideOfLoops);
    }

    @Override
    public Optional<JsonValue> item(int outward) {
        return iteration(outward).map(ScopeState::item);
    }

    @Override
    public int index(int outward) {
        return iteration(outward).map(ScopeState::iteration).orElse(-1);
    }

    @Override
    public Optional<JsonValue> error() {
        return error.or(() -> handled().map(Failure::value));
    }

    /** Returns the failure of the surrounding flow while its {@code onFailure} steps run. */
    private Optional<Failure> handled() {
        ScopeState flow = scope.flowScope();
        if (flow.is(state.root())) {
            return Optional.ofNullable(state.handler() == null ? null : flow.failure());
        }
        return Optional.ofNullable(flow.graph().byId().containsKey(HandledFlow.STEPS) ? flow.failureAtEnd() : null);
    }

    private Optional<ScopeState> iteration(int outward) {
        int left = outward;
        for (ScopeState level = scope; level != null; level = around(level)) {
            if (level.isIteration() && left-- == 0) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    private static @Nullable ScopeState around(ScopeState level) {
        return level.subFlow() == null ? level.parent() : null;
    }

    private static JsonValue orNull(@Nullable JsonValue value) {
        return value == null ? JsonValue.NULL : value;
    }

    private static IllegalStateException outsideOfLoops() {
        return new IllegalStateException("An expression reads the item of a loop outside of any loop.");
    }
}
