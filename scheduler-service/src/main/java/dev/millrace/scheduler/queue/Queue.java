package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.concurrent.CompletableFuture;

/** Accepts and ends runs. Answers come once the change is durable. Thread-safe. */
public interface Queue {
    /** Accepts all runs of the submission in one transaction, or none. */
    CompletableFuture<SubmitResult> submit(Submission submission);

    /** Does something to a run. */
    CompletableFuture<OperationResult> operate(RunId run, RunOperation operation, OperationNote note);

    /** Begins a run after the model of another. */
    CompletableFuture<OperationResult> rerun(Rerun rerun, OperationNote note);
}
