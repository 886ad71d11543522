package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.NamedCodes;

/**
 * Proof that a call comes from a running job.
 *
 * @param job the running job
 * @param token token of the job's lease, which must still be valid
 */
record LeaseCredential(JobId job, LeaseToken token) {
    /**
     * Start of a statement, which selects and locks the job's row. A lease that ends at the same time ends either
     * before the statement, which then changes nothing, or after it. Binds bucket, id and token.
     */
    static final String LEASE = NamedCodes.expand("""
            with lease as materialized (
                select workspace, run_id, bucket, id, lease_token from job_queue
                where bucket = ?::smallint and id = ?::uuid and lease_token = ?::bigint and state = {JobState.LEASED}
                for share
            )""");

    LeaseCredential {
        requireNonNull(job, "job");
        requireNonNull(token, "token");
    }
}
