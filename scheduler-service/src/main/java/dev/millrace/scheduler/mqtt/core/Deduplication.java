package dev.millrace.scheduler.mqtt.core;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.trigger.core.ContentFormat;
import dev.millrace.scheduler.trigger.core.MemberPath;
import java.util.Optional;

/** What two messages of a topic have in common that count as one. */
public sealed interface Deduplication {
    /**
     * A value of a payload in JSON.
     *
     * @param path names of members, separated by dots
     */
    record ByPayload(String path) implements Deduplication {
        public ByPayload {
            requireNonNull(path, "path");
        }
    }

    /** The value of a user property. */
    record ByProperty(String name) implements Deduplication {
        public ByProperty {
            requireNonNull(name, "name");
        }
    }

    /** Nothing: each message that arrives starts a run. */
    record Off() implements Deduplication {}

    /** Reads what people write; empty if it is none. */
    static Optional<Deduplication> parse(String text) {
        if (text.isEmpty() || text.equals("off")) {
            return Optional.of(new Off());
        }
        int colon = text.indexOf(':');
        String value = text.substring(colon + 1);
        if (colon < 0 || value.isEmpty()) {
            return Optional.empty();
        }
        return switch (text.substring(0, colon)) {
            case "payload" -> Optional.of(new ByPayload(value));
            case "property" -> Optional.of(new ByProperty(value));
            default -> Optional.empty();
        };
    }

    /** What names the message beside its topic; empty if nothing does, so that it starts a run whenever it arrives. */
    default Optional<String> key(Arrival.Message message) {
        return switch (this) {
            case ByPayload(String path) ->
                ContentFormat.JSON.read(message.payload()).flatMap(payload -> MemberPath.text(payload, path));
            case ByProperty(String name) ->
                Optional.ofNullable(message.properties().user().get(name)).filter(value -> !value.isEmpty());
            case Off _ -> Optional.empty();
        };
    }
}
