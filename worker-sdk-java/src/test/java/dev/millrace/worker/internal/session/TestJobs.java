package dev.millrace.worker.internal.session;

import dev.millrace.proto.worker.v1.Lease;

/** Leased jobs without a session, for tests of the engines. */
public final class TestJobs {
    private TestJobs() {}

    /** A job whose end calls {@code onEnd} on the thread that ends it. */
    public static LeasedJob of(Lease lease, Runnable onEnd) {
        return new LeasedJob(lease, SessionLimits.DEFAULTS, new Outbox(onEnd));
    }
}
