package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

/** Identity of one lease: the job and the token under which it is held. The token is a secret, so it never shows in {@link #toString}. */
public record LeaseKey(String jobId, long token) {
    public LeaseKey {
        requireNonNull(jobId, "jobId");
    }

    @Override
    public String toString() {
        return jobId;
    }
}
