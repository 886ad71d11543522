package dev.millrace.scheduler.run.step;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.WORKER_SESSION;

import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.run.JobRows;
import dev.millrace.scheduler.run.Payloads;
import dev.millrace.scheduler.run.Times;
import java.util.Optional;
import org.jooq.Record;

/** Reads steps from rows. */
final class StepRows {
    /** Suffix of the key of the row that records the opening of a container. */
    static final String OPENING = "#open";

    private StepRows() {}

    static Step live(Record row, Payloads payloads) {
        JobKind kind = JobKind.ofCode(row.get(JOB_QUEUE.KIND));
        boolean begun = row.get(JOB_QUEUE.STATE) == JobState.LEASED.code() || kind.isWait();
        String worker = row.get(WORKER_SESSION.WORKER_NAME);
        return new Step(
                new JobId(row.get(JOB_QUEUE.ID)),
                row.get(JOB_QUEUE.STEP_KEY),
                kind,
                begun ? StepState.RUNNING : StepState.QUEUED,
                row.get(JOB_QUEUE.ATTEMPT),
                payloads,
                Optional.empty(),
                JobRows.times(row.get(JOB_QUEUE.CREATED_AT), null, null),
                worker == null ? "" : worker,
                false,
                false,
                childRun(kind, row.get(JOB_QUEUE.TARGET)));
    }

    static Step ended(Record row, Payloads payloads) {
        JobKind kind = JobKind.ofCode(row.get(JOB_HISTORY.KIND));
        return new Step(
                new JobId(row.get(JOB_HISTORY.ID)),
                row.get(JOB_HISTORY.STEP_KEY),
                kind,
                StepState.ended(EndStatus.ofCode(row.get(JOB_HISTORY.STATUS))),
                row.get(JOB_HISTORY.ATTEMPT),
                payloads,
                JobRows.error(row),
                JobRows.times(
                        row.get(JOB_HISTORY.CREATED_AT),
                        row.get(JOB_HISTORY.STARTED_AT),
                        row.get(JOB_HISTORY.ENDED_AT)),
                row.get(JOB_HISTORY.WORKER_NAME),
                row.get(JOB_HISTORY.FROM_CACHE),
                row.get(JOB_HISTORY.ERASED),
                childRun(kind, row.get(JOB_HISTORY.TARGET)));
    }

    /** Empty if the step ended before its child run began. */
    private static Optional<RunId> childRun(JobKind kind, String target) {
        return kind == JobKind.CHILD_RUN && !target.isEmpty() ? Optional.of(RunId.parse(target)) : Optional.empty();
    }

    static boolean isOpening(Step ended) {
        return ended.key().endsWith(OPENING);
    }

    /** The container in progress whose opening a row records. */
    static Step opened(Step opening) {
        return new Step(
                opening.id(),
                opening.key().substring(0, opening.key().length() - OPENING.length()),
                opening.kind(),
                StepState.RUNNING,
                opening.attempt(),
                opening.payloads(),
                Optional.empty(),
                new Times(opening.times().created(), Optional.of(opening.times().created()), Optional.empty()),
                "");
    }
}
