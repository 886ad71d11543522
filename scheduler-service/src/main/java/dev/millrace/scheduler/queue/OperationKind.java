package dev.millrace.scheduler.queue;

import java.util.Locale;

/** Operations on runs. The record of operations has the names in lower case. */
public enum OperationKind {
    CANCEL,
    PAUSE,
    RESUME,
    RETRY,
    RESTART,
    RERUN,
    SKIP,
    PIN,
    UNPIN;

    /** The name in the database and in messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The kind of this name, from the database. Fails with {@link IllegalArgumentException} on any other. */
    public static OperationKind of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
