package dev.millrace.worker.internal.process;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A script could not be started for a reason that may lie with the worker: the job has not begun, and may succeed
 * elsewhere.
 */
final class WorkerFault extends LoadException {
    private final @Nullable ScriptRuntime runtime;

    /** @param runtime runtime whose processes cannot be started; null if unknown or irrelevant */
    WorkerFault(String message, @Nullable ScriptRuntime runtime) {
        super(message, true);
        this.runtime = runtime;
    }

    Optional<ScriptRuntime> runtime() {
        return Optional.ofNullable(runtime);
    }
}
