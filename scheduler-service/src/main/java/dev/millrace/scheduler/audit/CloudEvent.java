package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Events in the JSON format of <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md">CloudEvents
 * 1.0</a>.
 */
final class CloudEvent {
    private static final String TYPE_START = "dev.millrace.audit.";
    private static final String SOURCE = "/millrace";

    private CloudEvent() {}

    static String of(AuditEvent event) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("specversion", JsonValue.ofString("1.0"));
        members.put("id", JsonValue.ofString(event.id().toString()));
        members.put(
                "source",
                JsonValue.ofString(event.workspace()
                        .map(owner -> SOURCE + "/workspaces/" + owner)
                        .orElse(SOURCE)));
        members.put("type", JsonValue.ofString(TYPE_START + event.action()));
        // The attribute must not be empty.
        if (!event.subject().isEmpty()) {
            members.put("subject", JsonValue.ofString(event.subject()));
        }
        members.put("time", JsonValue.ofString(event.time().toString()));
        members.put("datacontenttype", JsonValue.ofString("application/json"));
        members.put("data", data(event));
        return JsonValue.ofMembers(members).text();
    }

    private static JsonValue data(AuditEvent event) {
        Map<String, JsonValue> data = new LinkedHashMap<>();
        data.put(
                "workspace",
                JsonValue.ofString(event.workspace().map(Workspace::name).orElse("")));
        data.put("principal", JsonValue.ofString(event.principal()));
        data.put(
                "credential_id",
                JsonValue.ofString(event.credential().map(UUID::toString).orElse("")));
        data.put("address", JsonValue.ofString(event.address()));
        data.put("action", JsonValue.ofString(event.action()));
        data.put("outcome", JsonValue.ofString(event.outcome().text()));
        data.put("detail", JsonValue.of(event.detail()));
        data.put("count", JsonValue.of(event.calls()));
        return JsonValue.ofMembers(data);
    }
}
