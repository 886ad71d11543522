package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Map;
import java.util.Optional;

/** Publishes a message to the handlers of an event. */
public record PublishWork(Template event, Template message) implements Work {
    private static final String EVENT = "event";

    static PublishWork compile(StepAction.Publish publish, GraphBuilder list) {
        list.read(publish.event());
        list.read(publish.message());
        return new PublishWork(publish.event(), publish.message());
    }

    /** The input of a step that publishes to the event with this name, a string. */
    public static Json input(JsonValue event) {
        return JsonValue.ofMembers(Map.of(EVENT, event)).json();
    }

    /** The event of a step with this input; empty for one that has published nothing, because it has a mock. */
    public static Optional<String> event(Json input) {
        JsonValue value = JsonValue.of(input);
        return value.isNull()
                ? Optional.empty()
                : Optional.ofNullable(value.members().get(EVENT)).map(JsonValue::string);
    }

    @Override
    public JobKind kind() {
        return JobKind.PUBLISH;
    }
}
