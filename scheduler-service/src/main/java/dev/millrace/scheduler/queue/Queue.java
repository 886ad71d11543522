package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.RunId;
import java.util.concurrent.CompletableFuture;

/** Accepts and ends runs. Answers come once the change is durable. Thread-safe. */
public interface Queue {
    /** Accepts all runs of the submission in one transaction, or none. */
    CompletableFuture<SubmitResult> submit(Submission submission);

    /** Ends a run: waiting jobs are dropped, running ones are stopped on their workers. */
    CompletableFuture<CancelResult> cancel(RunId run, String reason);
}
