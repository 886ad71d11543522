package dev.millrace.scheduler.trigger;

import java.util.Locale;

/** Kinds of triggers. The names in lower case are stored. */
public enum TriggerKind {
    SCHEDULE,
    WEBHOOK,
    KAFKA,
    POSTGRES,
    MQTT,
    EVENT;

    /** The name in tables, paths of messages and sentences. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a trigger of the kind is called in a sentence. */
    String phrase() {
        return switch (this) {
            case SCHEDULE, WEBHOOK -> text();
            case EVENT -> "event trigger";
            case KAFKA -> "Kafka trigger";
            case MQTT -> "MQTT trigger";
            case POSTGRES -> "PostgreSQL trigger";
        };
    }

    static TriggerKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
