package dev.millrace.scheduler.mqtt.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.trigger.core.ContentFormat;
import dev.millrace.scheduler.trigger.core.EventInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Messages as they are in inputs. */
public final class MessageJson {
    private MessageJson() {}

    /** The message in an input; empty if its payload is not what the format says. */
    public static Optional<JsonValue> of(Arrival.Message message, ContentFormat format) {
        return format.read(message.payload()).map(payload -> of(message.head(), payload, message.properties()));
    }

    private static JsonValue of(Arrival.Head head, JsonValue payload, MessageProperties properties) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("topic", JsonValue.ofString(head.topic()));
        members.put(
                "levels",
                EventInput.array(TopicFilter.levels(head.topic()).stream()
                        .map(JsonValue::ofString)
                        .toList()));
        members.put("qos", JsonValue.of((long) head.qos()));
        members.put("retained", head.isRetained() ? JsonValue.TRUE : JsonValue.FALSE);
        members.put("repeated", head.isRepeated() ? JsonValue.TRUE : JsonValue.FALSE);
        members.put("payload", payload);
        properties.contentType().ifPresent(type -> members.put("content_type", JsonValue.ofString(type)));
        properties.responseTopic().ifPresent(topic -> members.put("response_topic", JsonValue.ofString(topic)));
        properties.correlation().ifPresent(bytes -> members.put("correlation", ContentFormat.base64(bytes)));
        Map<String, JsonValue> user = new LinkedHashMap<>();
        properties.user().forEach((name, value) -> user.put(name, JsonValue.ofString(value)));
        members.put("properties", JsonValue.ofMembers(user));
        return JsonValue.ofMembers(members);
    }
}
