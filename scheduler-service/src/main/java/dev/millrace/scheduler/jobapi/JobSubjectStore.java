package dev.millrace.scheduler.jobapi;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import java.util.UUID;

/** Finds which jobs call, in Postgres. */
final class JobSubjectStore {
    /** Locks nothing: a lock would count as a change of the call, and the audit would record the call as allowed. */
    private static final String FIND = LeaseCredential.LEASE.replace("for share", "") + """
            select lease.workspace, lease.run_id, q.step_key, root.name as run_name, o.started_by, o.starter_credential
            from lease join job_queue q on q.bucket = lease.bucket and q.id = lease.id
            join job_queue root on root.bucket = lease.bucket and root.id = lease.run_id
            left join run_option o on o.run_id = lease.run_id
            """;

    private final Database database;

    JobSubjectStore(Database database) {
        this.database = database;
    }

    /** The job of a lease; empty if the lease is no longer held. */
    Optional<JobSubject> find(LeaseCredential lease) {
        return database.run(dsl -> dsl.fetchOptional(
                        FIND,
                        lease.job().bucket().value(),
                        lease.job().value(),
                        lease.token().value()))
                .map(row -> new JobSubject(
                        Workspace.of(row.get("workspace", String.class)),
                        new RunId(row.get("run_id", UUID.class)),
                        row.get("step_key", String.class),
                        row.get("run_name", String.class),
                        Optional.ofNullable(row.get("started_by", String.class))
                                .map(name -> new RunStarter(
                                        name, Optional.ofNullable(row.get("starter_credential", UUID.class))))));
    }
}
