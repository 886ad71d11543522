package dev.millrace.scheduler.eventtrigger;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.event.core.EventTypes;
import dev.millrace.scheduler.queue.core.Folder;
import java.util.Optional;

/** Reads messages about triggers of events. */
public final class EventTriggerProtos {
    private static final int PARAMETER_LENGTH_MAX = 100;
    private static final int PATH_LENGTH_MAX = 500;

    private EventTriggerProtos() {}

    /**
     * The settings to store.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if they break a rule
     */
    public static ByteString stored(EventSource source) {
        Violations violations = new Violations();
        check(source, "event", violations);
        violations.throwIfAny();
        return source.toByteString();
    }

    /** Checks settings, and adds what is wrong with them to the violations. */
    static void check(EventSource source, String field, Violations violations) {
        violations.require(
                source.getTypesCount() >= 1 && source.getTypesCount() <= EventFilter.TYPES_MAX,
                field + ".types",
                source.getTypesCount() + " types (expected: 1 to " + EventFilter.TYPES_MAX + ")");
        for (int index = 0; index < source.getTypesCount(); index++) {
            String type = source.getTypes(index);
            violations.require(EventTypes.isWanted(type), field + ".types[" + index + "]", EventTypes.problem(type));
        }
        requireLength(field + ".folder", source.getFolder(), PATH_LENGTH_MAX, violations);
        violations.require(
                Folder.isPossible(source.getFolder()),
                field + ".folder",
                "\"" + source.getFolder() + "\" (expected: " + Folder.EXPECTED + ")");
        requireLength(field + ".path", source.getPath(), PATH_LENGTH_MAX, violations);
        requireLength(field + ".event_input", source.getEventInput(), PARAMETER_LENGTH_MAX, violations);
    }

    private static void requireLength(String field, String text, int max, Violations violations) {
        violations.require(
                text.length() <= max && text.indexOf('\0') < 0,
                field,
                text.length() + " characters (expected: at most " + max + ", none of them NUL)");
    }

    /** The settings as they were stored. */
    static EventTriggerSettings settings(ByteString stored) {
        try {
            EventSource source = EventSource.parseFrom(stored);
            return new EventTriggerSettings(
                    source.getTypesList(), text(source.getFolder()), text(source.getPath()), source.getEventInput());
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a trigger are no EventSource", damaged);
        }
    }

    private static Optional<String> text(String text) {
        return Optional.of(text).filter(given -> !given.isEmpty());
    }
}
