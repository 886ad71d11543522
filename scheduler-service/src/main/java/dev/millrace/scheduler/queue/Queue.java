package dev.millrace.scheduler.queue;

import java.util.concurrent.CompletableFuture;

/** Accepts runs. Futures complete after the change is durable. Thread-safe. */
public interface Queue {
    /** Accepts all runs of the submission in one transaction, or none. */
    CompletableFuture<SubmitResult> submit(Submission submission);
}
