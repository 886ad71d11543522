package dev.millrace.e2e.fault;

import dev.millrace.harness.ClusterPlan;

/** Clusters for tests with faults. */
final class FaultPlans {
    /** Ends sessions of silent workers after five seconds. */
    static final ClusterPlan SHORT_LEASES = ClusterPlan.small()
            .with("millrace.worker.session-ttl", "5s")
            .with("millrace.worker.heartbeat-interval", "1s");

    private FaultPlans() {}
}
