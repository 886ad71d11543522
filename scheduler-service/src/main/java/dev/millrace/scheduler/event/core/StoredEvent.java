package dev.millrace.scheduler.event.core;

import dev.millrace.scheduler.queue.core.RunId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * One event.
 *
 * @param transaction transaction that stored it
 * @param number orders the events of a transaction
 * @param type for example {@code run.failed}
 * @param run absent for events that concern no run
 * @param name name of the run, path of the flow or script, or name of the worker
 * @param stepKey key of the step; empty if the event concerns none
 * @param detail a JSON object
 */
public record StoredEvent(
        UUID id,
        long transaction,
        long number,
        String type,
        Optional<RunId> run,
        String name,
        String stepKey,
        String detail,
        Instant time) {
    private static final String WORKERS = "worker.";

    /** Whether the event concerns a worker, which lies in no folder. */
    public boolean concernsWorker() {
        return type.startsWith(WORKERS);
    }

    /** First part of the name; empty if it has none. */
    public String folder() {
        int end = name.indexOf('/');
        return concernsWorker() || end < 0 ? "" : name.substring(0, end);
    }
}
