package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * One hold of a job on a mutex.
 *
 * @param lease credential of the job
 * @param mutex name within the job's workspace
 * @param id identifies the hold; acquiring the same hold again changes nothing
 */
record Hold(LeaseCredential lease, String mutex, UUID id) {
    Hold {
        requireNonNull(lease, "lease");
        requireNonNull(mutex, "mutex");
        requireNonNull(id, "id");
    }
}
