package dev.millrace.scheduler.event.core;

import java.util.Locale;

/** How much of a workspace's runs is recorded. All other events are always stored. */
public enum Scope {
    /** What happens to runs and waits, but not to single steps: few events, whatever the length of the runs. */
    RUNS,
    /** Everything. */
    STEPS;

    /** The name in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scope in which events of a type, or of types that begin alike, are recorded. */
    static Scope of(String type) {
        return type.startsWith("step.") ? STEPS : RUNS;
    }
}
