package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.queue.core.Json;
import java.util.function.BiFunction;

/** Resolves the path of the flow and the input for a run that a step starts. */
final class RunResolution {
    private RunResolution() {}

    /** Enqueues the entry that starts the run, or fails the step if the path or the input cannot be resolved. */
    static void begin(
            Template flow,
            Template input,
            Place place,
            Bindings bindings,
            Transition transition,
            BiFunction<String, Json, QueueEntry> entry) {
        Resolution path = bindings.resolve(flow);
        Resolution given = bindings.resolve(input);
        if (path instanceof Resolution.Unresolved unresolved) {
            transition.failHere(place, FlowErrors.unresolved("path of the flow", unresolved));
        } else if (given instanceof Resolution.Unresolved unresolved) {
            transition.failHere(place, FlowErrors.unresolved("input", unresolved));
        } else if (path instanceof Resolution.Resolved(JsonValue name)
                && given instanceof Resolution.Resolved(JsonValue value)) {
            if (name.kind() == JsonValue.Kind.STRING) {
                transition.starts.add(place, entry.apply(name.string(), value.json()));
            } else {
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "path of the flow", "a string", name.kind().phrase()));
            }
        }
    }
}
