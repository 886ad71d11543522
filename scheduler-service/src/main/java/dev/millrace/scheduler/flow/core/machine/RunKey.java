package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.state.FlowState;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;

/** The value of a key over the inputs of a run. Runs with the same key share something, such as a limit. */
public sealed interface RunKey {
    /** The key. */
    record Known(String text) implements RunKey {}

    /** The key could not be computed or is not usable. */
    record Unusable(JobError error) implements RunKey {}

    /** Computes the key by which submissions of the flow are merged. */
    static RunKey of(FlowModel model, FlowOptions.Debounce debounce, RunId run, Json input) {
        return of("debounce key", debounce.key(), FlowState.fresh(model, run, input));
    }

    static RunKey of(String name, Template template, FlowState fresh) {
        return switch (Bindings.of(fresh, fresh.root()).resolve(template)) {
            case Resolution.Unresolved unresolved -> new Unusable(FlowErrors.unresolved(name, unresolved));
            case Resolution.Resolved resolved -> new Known(text(resolved.value()));
        };
    }

    /** Returns the text of a key. */
    static String text(JsonValue key) {
        return key.kind() == JsonValue.Kind.STRING ? key.string() : key.toString();
    }
}
