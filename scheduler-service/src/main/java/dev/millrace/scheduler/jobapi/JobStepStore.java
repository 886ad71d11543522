package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

/** The steps of leased jobs, in Postgres. */
final class JobStepStore {
    /** The root job of a flow names the version that the run keeps to. */
    private static final String FIND = LeaseCredential.LEASE + NamedCodes.expand("""
            select lease.workspace, q.step_key, root.target
            from lease join job_queue q on q.bucket = lease.bucket and q.id = lease.id
            left join job_queue root on root.bucket = lease.bucket and root.id = lease.run_id and root.kind = {JobKind.FLOW}
            """);

    private final Database database;

    JobStepStore(Database database) {
        this.database = database;
    }

    /** What is known about the job of a lease. */
    sealed interface Found {
        /**
         * A step of a flow.
         *
         * @param flow hash of the flow's version
         */
        record Step(Workspace workspace, String flow, StepKey key) implements Found {}

        /** A job that is a run by itself. */
        record NoStep() implements Found {}

        /** The job has lost its lease. */
        record LeaseLost() implements Found {}
    }

    Found find(LeaseCredential lease) {
        return database.run(dsl -> dsl.fetchOptional(
                        FIND,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value()))
                .<Found>map(row -> {
                    String key = row.get("step_key", String.class);
                    return Optional.ofNullable(row.get("target", String.class))
                            .filter(_ -> !key.isEmpty())
                            .<Found>map(flow -> new Found.Step(
                                    Workspace.of(row.get("workspace", String.class)), flow, new StepKey(key)))
                            .orElseGet(Found.NoStep::new);
                })
                .orElseGet(Found.LeaseLost::new);
    }
}
