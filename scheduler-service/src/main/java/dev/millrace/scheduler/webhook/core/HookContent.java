package dev.millrace.scheduler.webhook.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a call says.
 *
 * @param body JSON as sent, a form as an object, a text as a text, other bytes as Base64; null if the body is empty
 * @param event attributes of a CloudEvent, whose data are the body; empty for other calls
 */
public record HookContent(JsonValue body, Optional<JsonValue> event) {
    /**
     * Maximum number of members of an object in a body and of the objects around it together: in memory, a short member takes
     * many times its text.
     */
    static final int MEMBERS_MAX = 10_000;

    public HookContent {
        requireNonNull(body, "body");
        requireNonNull(event, "event");
    }

    /** Result of reading a call. */
    public sealed interface Reading {
        /** The content. */
        record Read(HookContent content) implements Reading {}

        /**
         * The body is not what its content type says.
         *
         * @param sentence for the caller
         */
        record Unreadable(String sentence) implements Reading {}
    }

    /** What a webhook needs of the content. A call is not refused for what nobody needs. */
    public enum Need {
        /** The body by its content type. */
        BODY,
        /** The attributes of a CloudEvent. */
        EVENT
    }

    /**
     * Reads a call by its content type. What cannot be read is left out, unless it is needed.
     */
    public static Reading read(HookCall call, Set<Need> needs) {
        try {
            return new Reading.Read(content(call, EnumSet.allOf(Need.class)));
        } catch (UnreadableBody unreadable) {
            return readNeeded(call, needs);
        }
    }

    private static Reading readNeeded(HookCall call, Set<Need> needs) {
        try {
            return new Reading.Read(content(call, needs));
        } catch (UnreadableBody unreadable) {
            return new Reading.Unreadable(String.valueOf(unreadable.getMessage()));
        }
    }

    private static HookContent content(HookCall call, Set<Need> needs) throws UnreadableBody {
        if (needs.isEmpty()) {
            return new HookContent(JsonValue.NULL, Optional.empty());
        }
        ContentType type = ContentType.of(call.header("content-type").orElse(""));
        if (type.type().equals(CloudEvents.STRUCTURED)) {
            CloudEvents.Event event = CloudEvents.split(json(call.body(), type));
            return new HookContent(event.data(), Optional.of(event.attributes()));
        }
        Optional<JsonValue> event = needs.contains(Need.EVENT) ? CloudEvents.inHeaders(call) : Optional.empty();
        return new HookContent(needs.contains(Need.BODY) ? body(call.body(), type) : JsonValue.NULL, event);
    }

    private static JsonValue body(byte[] body, ContentType type) throws UnreadableBody {
        if (body.length == 0) {
            return JsonValue.NULL;
        }
        if (type.isJson()) {
            return json(body, type);
        }
        if (type.type().equals("application/x-www-form-urlencoded")) {
            return FormText.ofForm(body, type);
        }
        if (type.type().equals("multipart/form-data")) {
            return Multipart.object(body, type);
        }
        return JsonValue.ofString(
                type.isText() ? BodyText.of(body, type) : Base64.getEncoder().encodeToString(body));
    }

    private static JsonValue json(byte[] body, ContentType type) throws UnreadableBody {
        String text = BodyText.ofJson(body, type);
        Optional<String> problem = text.indexOf('\0') >= 0
                ? Optional.of("it contains a NUL character")
                : JsonText.problem(text, MEMBERS_MAX);
        if (problem.isPresent()) {
            throw new UnreadableBody("The body cannot be read as JSON: " + problem.get() + ".");
        }
        return JsonValue.of(text);
    }
}
