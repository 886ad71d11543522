package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.Witness;

/**
 * Lets transactions commit only while a job holds its lease. The job's row stays locked until the commit, so a lease that
 * ends at the same time ends before the transaction, which then changes nothing, or after it.
 */
record LeaseFence(LeaseCredential lease) implements Witness {
    private static final String IS_HELD = LeaseCredential.LEASE + " select 1 from lease";

    LeaseFence {
        requireNonNull(lease, "lease");
    }

    /** Does some work whose transactions the lease fences. Fails if it is no longer held. */
    static void during(LeaseCredential lease, Runnable work) {
        Database.witnessed(new LeaseFence(lease), work);
    }

    @Override
    public void beforeCommit(Statements transaction) {
        if (!transaction.finds(
                IS_HELD,
                lease.job().bucket().value(),
                lease.job().value(),
                lease.token().value())) {
            throw LeaseCredential.lost();
        }
    }

    @Override
    public void committed() {}
}
