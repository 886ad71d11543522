package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.concurrent.CompletableFuture;

/** Operates on runs. Answers come once the change is durable. Thread-safe. */
public interface RunOperations {
    /** Does something to a run. */
    CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note);

    /** Begins a run after the model of another. */
    CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note);
}
