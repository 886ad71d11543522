package dev.millrace.worker.internal.process;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A script could not be brought to run for a reason that may lie with the worker: the job has not begun, and may be fine elsewhere. */
final class WorkerFault extends LoadException {
    private final @Nullable ScriptRuntime runtime;

    /** @param runtime whose processes cannot be started; null where that is not known or not the point */
    WorkerFault(String message, @Nullable ScriptRuntime runtime) {
        super(message, true);
        this.runtime = runtime;
    }

    Optional<ScriptRuntime> runtime() {
        return Optional.ofNullable(runtime);
    }
}
