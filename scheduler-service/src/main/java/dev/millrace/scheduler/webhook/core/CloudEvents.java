package dev.millrace.scheduler.webhook.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** CloudEvents 1.0 over HTTP: attributes in headers (binary mode), or in the body (structured mode). */
final class CloudEvents {
    static final String STRUCTURED = "application/cloudevents+json";

    private static final String PREFIX = "ce-";
    private static final List<String> REQUIRED = List.of("specversion", "id", "source", "type");

    private CloudEvents() {}

    /** The attributes of an event in binary mode; empty if the call is no such event. */
    static Optional<JsonValue> inHeaders(HookCall call) throws UnreadableBody {
        if (call.header(PREFIX + "specversion").isEmpty()) {
            return Optional.empty();
        }
        Map<String, JsonValue> attributes = new LinkedHashMap<>();
        for (HookCall.Header header : call.headers()) {
            if (header.name().startsWith(PREFIX)) {
                attributes.put(
                        header.name().substring(PREFIX.length()),
                        JsonValue.ofString(PercentText.decoded(header.value())));
            }
        }
        requireAttributes(attributes);
        return Optional.of(JsonValue.ofMembers(attributes));
    }

    /**
     * Splits an event in structured mode.
     *
     * @throws UnreadableBody if it lacks an attribute that each event has
     */
    static Event split(JsonValue event) throws UnreadableBody {
        if (event.kind() != JsonValue.Kind.OBJECT) {
            throw new UnreadableBody(
                    "The body is " + event.kind().phrase() + " (expected: a CloudEvent as an object).");
        }
        Map<String, JsonValue> attributes = new LinkedHashMap<>(event.members());
        JsonValue data = attributes.remove("data");
        JsonValue bytes = attributes.remove("data_base64");
        requireAttributes(attributes);
        JsonValue body = data != null ? data : bytes != null ? bytes : JsonValue.NULL;
        return new Event(JsonValue.ofMembers(attributes), body);
    }

    /**
     * An event.
     *
     * @param attributes all members but the data
     */
    record Event(JsonValue attributes, JsonValue data) {}

    /** Source and id, which name an event together. */
    static String name(JsonValue attributes) {
        return text(attributes.members(), "source") + " " + text(attributes.members(), "id");
    }

    private static void requireAttributes(Map<String, JsonValue> attributes) throws UnreadableBody {
        for (String name : REQUIRED) {
            if (text(attributes, name).isEmpty()) {
                throw new UnreadableBody("The CloudEvent has no attribute " + name + ".");
            }
        }
        String version = text(attributes, "specversion");
        if (!version.startsWith("1.")) {
            throw new UnreadableBody("The CloudEvent has the specversion " + version + " (expected: 1.0).");
        }
    }

    /** The text of an attribute; empty if it is absent or something else. */
    private static String text(Map<String, JsonValue> attributes, String name) {
        JsonValue value = attributes.getOrDefault(name, JsonValue.NULL);
        return value.kind() == JsonValue.Kind.STRING ? value.string() : "";
    }
}
