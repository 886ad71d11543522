package dev.millrace.e2e.fault;

import dev.millrace.harness.ClusterPlan;

/** Clusters for tests that break things. */
final class FaultPlans {
    /** Loses patience with silent workers after five seconds. */
    static final ClusterPlan SHORT_LEASES = ClusterPlan.small()
            .with("millrace.worker.session-ttl", "5s")
            .with("millrace.worker.heartbeat-interval", "1s");

    private FaultPlans() {}
}
