package dev.millrace.scheduler.trace;

import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.telemetry.Traceparent;
import java.util.Optional;

/** Trace contexts of runs in Postgres, read only. */
final class TraceStore {
    /** One statement, so that a run that moves between queue and history is not missed. */
    private static final FixedQuery FIND = new FixedQuery("""
            select traceparent, workspace from job_queue where bucket = ? and id = ?
            union all
            select traceparent, workspace from job_history where bucket = ? and id = ?
            """, JOB_QUEUE.TRACEPARENT, JOB_QUEUE.WORKSPACE);

    private final Database database;

    TraceStore(Database database) {
        this.database = database;
    }

    /** A run and the trace context with which it was submitted. */
    record Traced(RunRef run, Optional<Traceparent> context) {}

    /** Empty if there is no such run. */
    Optional<Traced> find(RunId run) {
        short bucket = run.bucket().value();
        return database.fetch(FIND, bucket, run.value(), bucket, run.value()).stream()
                .findFirst()
                .map(row -> new Traced(
                        new RunRef(Workspace.of(row.get(JOB_QUEUE.WORKSPACE)), run),
                        Traceparent.parse(row.get(JOB_QUEUE.TRACEPARENT))));
    }
}
