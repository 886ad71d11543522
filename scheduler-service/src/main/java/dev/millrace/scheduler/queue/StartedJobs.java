package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers which leased jobs have begun to run in a process. Kept in memory only: it is shown to people, and says which jobs a lost worker speaks against. */
public final class StartedJobs {
    private final Map<JobId, Instant> started = new ConcurrentHashMap<>();

    /** When the job began, as heard by this scheduler; empty where it has not, or where another scheduler heard it. */
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
