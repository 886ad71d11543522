package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Scope;
import dev.millrace.scheduler.expression.Template;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the expressions of one scope see. */
record Bindings(FlowState state, ScopeState scope, Results results) implements Scope {
    /** Where results of ended steps are found. */
    interface Results {
        /** The state of a step. */
        @Nullable StepState of(ScopeState scope, int step);
    }

    /** What the scope results in once all its steps have ended. */
    Resolution output() {
        Graph graph = scope.graph();
        if (graph.output().isPresent()) {
            return resolve(graph.output().get());
        }
        int size = graph.nodes().size();
        return new Resolution.Resolved(size == 0 ? JsonValue.NULL : result(scope, size - 1));
    }

    Resolution resolve(Template template) {
        return template.resolve(this, state.model().payloadBytesMax());
    }

    @Override
    public JsonValue inputs() {
        return state.input();
    }

    @Override
    public String runId() {
        return state.run().toString();
    }

    @Override
    public JsonValue stepResult(String id) {
        for (ScopeState level = scope; level != null; level = level.parent()) {
            Integer step = level.graph().byId().get(id);
            if (step != null) {
                return result(level, step);
            }
        }
        throw new IllegalStateException("An expression reads the unknown step \"" + id + "\".");
    }

    private JsonValue result(ScopeState level, int step) {
        if (results.of(level, step) instanceof StepState.Ended ended && ended.result() != null) {
            return ended.result();
        }
        throw new IllegalStateException("The result of step \"" + level.key(step) + "\" is read but not there.");
    }

    @Override
    public Optional<JsonValue> findStepResult(String id) {
        for (ScopeState level = scope; level != null; level = level.parent()) {
            Integer step = level.graph().byId().get(id);
            if (step != null) {
                return results.of(level, step) instanceof StepState.Ended ended
                        ? Optional.ofNullable(ended.result())
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public JsonValue item() {
        JsonValue item = innermostIteration().item();
        if (item == null) {
            throw new IllegalStateException("An iteration has no item.");
        }
        return item;
    }

    @Override
    public int index() {
        return innermostIteration().iteration();
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
    public JsonValue variables() {
        return JsonValue.EMPTY_OBJECT;
    }

    @Override
    public Optional<JsonValue> result() {
        return Optional.empty();
    }

    @Override
    public Optional<JsonValue> error() {
        return Optional.empty();
    }

    private Optional<ScopeState> iteration(int outward) {
        int left = outward;
        for (ScopeState level = scope; level != null; level = level.parent()) {
            if (level.isIteration() && left-- == 0) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    private ScopeState innermostIteration() {
        for (ScopeState level = scope; level != null; level = level.parent()) {
            if (level.isIteration()) {
                return level;
            }
        }
        throw new IllegalStateException("An expression reads the item of a loop outside of any loop.");
    }
}
