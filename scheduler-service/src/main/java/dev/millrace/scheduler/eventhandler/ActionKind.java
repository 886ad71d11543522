package dev.millrace.scheduler.eventhandler;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an action does, by the names that Conductor gives. */
enum ActionKind {
    START_WORKFLOW,
    COMPLETE_TASK,
    FAIL_TASK,
    TERMINATE_WORKFLOW;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ActionKind> find(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
}
