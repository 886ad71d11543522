package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.JobColumns;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.NamedCodes;

/**
 * Proof that a call comes from a running job.
 *
 * @param job the running job
 * @param token token of the job's lease, which must still be valid
 */
public record LeaseCredential(JobId job, LeaseToken token) {
    /**
     * Start of a statement, which selects and locks the job's row. A lease that ends at the same time ends either
     * before the statement, which then changes nothing, or after it. Binds bucket, id and token.
     */
    public static final String LEASE = NamedCodes.expand("""
            with lease as materialized (
                select workspace, $folder as folder, run_id, bucket, id, lease_token from job_queue
                where bucket = ?::smallint and id = ?::uuid and lease_token = ?::bigint and state = {JobState.LEASED}
                for share
            )""".replace("$folder", JobColumns.FOLDER));

    public LeaseCredential {
        requireNonNull(job, "job");
        requireNonNull(token, "token");
    }

    /** Reads the fields {@code job_id} and {@code lease_token} of a request. */
    public static LeaseCredential parse(String jobId, long token) {
        try {
            return new LeaseCredential(JobId.parse(jobId), new LeaseToken(token));
        } catch (IllegalArgumentException notAnId) {
            throw MillraceException.invalid("job_id, lease_token", jobId + " (expected: those of a lease)");
        }
    }

    /** The failure of a call whose lease is no longer held. */
    public static MillraceException lost() {
        return new MillraceException(
                ErrorCode.LEASE_LOST,
                "The lease is no longer held: the job was given to another worker, was canceled, or has ended.");
    }
}
