package dev.millrace.scheduler.event;

import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Events in the JSON format of <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md">CloudEvents
 * 1.0</a>.
 */
final class CloudEvent {
    private static final String TYPE_START = "dev.millrace.";
    private static final String SOURCE = "/millrace/workspaces/";

    private CloudEvent() {}

    /** The event with its position, which is an extension attribute. */
    static String of(Workspace workspace, Position position, StoredEvent event) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("specversion", JsonValue.ofString("1.0"));
        members.put("id", JsonValue.ofString(event.id().toString()));
        members.put("source", JsonValue.ofString(SOURCE + workspace.name()));
        members.put("type", JsonValue.ofString(TYPE_START + event.type()));
        String subject = event.run().map(Object::toString).orElse(event.name());
        // The attribute must not be empty.
        if (!subject.isEmpty()) {
            members.put("subject", JsonValue.ofString(subject));
        }
        members.put("time", JsonValue.ofString(event.time().toString()));
        members.put("position", JsonValue.ofString(position.text()));
        members.put("datacontenttype", JsonValue.ofString("application/json"));
        members.put("data", data(event));
        return JsonValue.ofMembers(members).text();
    }

    private static JsonValue data(StoredEvent event) {
        Map<String, JsonValue> data = new LinkedHashMap<>();
        event.run().ifPresent(run -> data.put("run_id", JsonValue.ofString(run.toString())));
        data.put("name", JsonValue.ofString(event.name()));
        if (!event.stepKey().isEmpty()) {
            data.put("step", JsonValue.ofString(event.stepKey()));
        }
        data.putAll(JsonValue.of(event.detail()).members());
        return JsonValue.ofMembers(data);
    }
}
