package dev.millrace.scheduler.bulk;

import dev.millrace.scheduler.run.RunState;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The operations that can be done to many runs. */
enum BulkOperationKind {
    CANCEL,
    PAUSE,
    RESUME,
    RETRY,
    SKIP_STEP,
    RESTART,
    RERUN_FROM;

    /** The states that a filter means which names none; empty where it must name some. */
    Set<RunState> statesMeant() {
        return switch (this) {
            case CANCEL, PAUSE, RESUME, SKIP_STEP -> EnumSet.of(RunState.QUEUED, RunState.RUNNING);
            case RETRY -> EnumSet.of(RunState.FAILED);
            case RESTART, RERUN_FROM -> EnumSet.noneOf(RunState.class);
        };
    }

    /** Its name for callers and in the database. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<BulkOperationKind> find(String text) {
        return Stream.of(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
}
