package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * One hold on a mutex.
 *
 * @param lease the job that wants it
 * @param mutex its name within the job's workspace
 * @param id the same hold counts once
 */
record Hold(LeaseCredential lease, String mutex, UUID id) {
    Hold {
        requireNonNull(lease, "lease");
        requireNonNull(mutex, "mutex");
        requireNonNull(id, "id");
    }
}
