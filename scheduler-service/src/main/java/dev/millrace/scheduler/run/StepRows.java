package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.WORKER_SESSION;

import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.JSON;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Reads steps out of rows. */
final class StepRows {
    /** Ends the key of the row that a container leaves when it begins. */
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
                times(row.get(JOB_QUEUE.CREATED_AT), null, null),
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
                error(row),
                times(row.get(JOB_HISTORY.CREATED_AT), row.get(JOB_HISTORY.STARTED_AT), row.get(JOB_HISTORY.ENDED_AT)),
                row.get(JOB_HISTORY.WORKER_NAME),
                row.get(JOB_HISTORY.FROM_CACHE),
                row.get(JOB_HISTORY.ERASED),
                childRun(kind, row.get(JOB_HISTORY.TARGET)));
    }

    /** None where the step ended before its run began. */
    private static Optional<RunId> childRun(JobKind kind, String target) {
        return kind == JobKind.CHILD_RUN && !target.isEmpty() ? Optional.of(RunId.parse(target)) : Optional.empty();
    }

    static boolean isOpening(Step ended) {
        return ended.key().endsWith(OPENING);
    }

    /** The container in progress for which the row of its beginning stands. */
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

    static Optional<JobError> error(Record row) {
        return Optional.ofNullable(row.get(JOB_HISTORY.ERROR_NAME))
                .map(name -> new JobError(
                        name, text(row.get(JOB_HISTORY.ERROR_MESSAGE)), text(row.get(JOB_HISTORY.ERROR_STACK)), false));
    }

    static Times times(OffsetDateTime created, @Nullable OffsetDateTime started, @Nullable OffsetDateTime ended) {
        return new Times(
                created.toInstant(),
                Optional.ofNullable(started).map(OffsetDateTime::toInstant),
                Optional.ofNullable(ended).map(OffsetDateTime::toInstant));
    }

    static Optional<Json> json(@Nullable JSON stored) {
        return Optional.ofNullable(stored).map(document -> new Json(document.data()));
    }

    private static String text(@Nullable String stored) {
        return stored == null ? "" : stored;
    }
}
