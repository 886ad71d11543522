package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which leased jobs have begun to run in a process. In memory only: users see it, and it decides which jobs
 * count the loss of their worker.
 */
public final class StartedJobs {
    private final Map<JobId, Instant> started = new ConcurrentHashMap<>();

    /** Returns when the job began; empty if it has not begun or another scheduler received the message. */
    public Optional<Instant> startOf(JobId job) {
        return Optional.ofNullable(started.get(job));
    }

    public void started(JobId job, Instant when) {
        started.put(job, when);
    }

    public void ended(JobId job) {
        started.remove(job);
    }
}
