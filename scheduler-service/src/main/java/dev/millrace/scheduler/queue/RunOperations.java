package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.concurrent.CompletableFuture;

/** Performs operations on runs. Futures complete after the change is durable. Thread-safe. */
public interface RunOperations {
    /** Performs an operation on a run. */
    CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note);

    /** Begins a run that repeats another run. */
    CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note);
}
