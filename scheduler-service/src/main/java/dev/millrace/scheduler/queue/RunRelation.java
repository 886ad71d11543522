package dev.millrace.scheduler.queue;

import java.util.Locale;

/** Relation of a run to the run from which it was made. The database has the names in lower case. */
public enum RunRelation {
    /** A restart of the other run. */
    RESTART,
    /** A rerun of the other run at a step. */
    RERUN,
    /** A step of the other run started it. */
    START_RUN,
    /** The failure flow of the other run. */
    FAILURE_FLOW,
    /** A step of the other run started it and waits for its end. */
    CHILD_RUN;

    /** The name in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The relation of this name, from the database. Fails with {@link IllegalArgumentException} on any other. */
    public static RunRelation of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
