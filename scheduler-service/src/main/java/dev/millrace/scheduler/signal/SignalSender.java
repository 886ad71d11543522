package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.signal.core.RunSignal;
import java.util.concurrent.CompletableFuture;

/** Delivers signals to the waits of runs. Futures complete after the change is durable. Thread-safe. */
public interface SignalSender {
    CompletableFuture<SignalResult> send(RunId run, RunSignal signal);
}
