package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/** Identity of one lease: its job, and the token that no other lease of the job has. */
public record LeaseKey(JobId job, LeaseToken token) {
    public LeaseKey {
        requireNonNull(job, "job");
        requireNonNull(token, "token");
    }
}
