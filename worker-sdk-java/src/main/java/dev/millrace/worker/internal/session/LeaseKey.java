package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

/** Identity of one lease: the job and its lease token. The token is secret and never appears in {@link #toString}. */
public record LeaseKey(String jobId, long token) {
    public LeaseKey {
        requireNonNull(jobId, "jobId");
    }

    @Override
    public String toString() {
        return jobId;
    }
}
