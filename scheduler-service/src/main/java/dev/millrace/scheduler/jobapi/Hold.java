package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import java.util.UUID;

/**
 * One hold of a job on a mutex.
 *
 * @param lease credential of the job
 * @param mutex name within the folder of the job, or within its workspace if it begins with "/"
 * @param id identifies the hold; acquiring the same hold again changes nothing
 */
record Hold(LeaseCredential lease, String mutex, UUID id) {
    /** Beginning of names that all folders of a workspace share. */
    private static final String OF_WORKSPACE = "/";

    Hold {
        requireNonNull(lease, "lease");
        requireNonNull(mutex, "mutex");
        requireNonNull(id, "id");
    }

    /** Whether all folders of the workspace share the mutex. */
    boolean isOfWorkspace() {
        return mutex.startsWith(OF_WORKSPACE);
    }
}
