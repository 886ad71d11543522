package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.RunSignal;
import java.util.concurrent.CompletableFuture;

/** Takes signals to the waits of a run. Answers come once the change is durable. Thread-safe. */
public interface SignalSender {
    CompletableFuture<SignalResult> send(RunId run, RunSignal signal);
}
