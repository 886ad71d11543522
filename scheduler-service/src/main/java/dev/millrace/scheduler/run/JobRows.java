package dev.millrace.scheduler.run;

import static dev.millrace.scheduler.database.tables.Tables.JOB_HISTORY;

import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jooq.JSON;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Reads the columns that rows of runs and rows of steps share. */
public final class JobRows {
    private JobRows() {}

    /** The error in a history row; empty if the job did not fail. */
    public static Optional<JobError> error(Record row) {
        return Optional.ofNullable(row.get(JOB_HISTORY.ERROR_NAME))
                .map(name -> new JobError(
                        name, text(row.get(JOB_HISTORY.ERROR_MESSAGE)), text(row.get(JOB_HISTORY.ERROR_STACK)), false));
    }

    public static Times times(
            OffsetDateTime created, @Nullable OffsetDateTime started, @Nullable OffsetDateTime ended) {
        return new Times(
                created.toInstant(),
                Optional.ofNullable(started).map(OffsetDateTime::toInstant),
                Optional.ofNullable(ended).map(OffsetDateTime::toInstant));
    }

    public static Optional<Json> json(@Nullable JSON stored) {
        return Optional.ofNullable(stored).map(document -> new Json(document.data()));
    }

    private static String text(@Nullable String stored) {
        return stored == null ? "" : stored;
    }
}
