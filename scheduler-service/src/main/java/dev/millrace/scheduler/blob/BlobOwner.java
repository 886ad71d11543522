package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.jobapi.LeaseCredential;
import dev.millrace.scheduler.queue.core.Workspace;

/** Who uploads a blob, which decides the workspace of the blob. */
sealed interface BlobOwner {
    /** A job, whose run uses the blob. */
    record Job(LeaseCredential lease) implements BlobOwner {}

    /** A person or program. No run uses the blob yet. */
    record Caller(Workspace workspace) implements BlobOwner {}
}
