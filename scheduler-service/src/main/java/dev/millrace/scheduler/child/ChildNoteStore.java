package dev.millrace.scheduler.child;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.ChildNoteKind;
import dev.millrace.scheduler.queue.core.EndStatus;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/** Reads and removes the notes about child runs, and reads the ends of these runs. */
final class ChildNoteStore {
    private static final String FIND = """
            select child_run_id, kind, parent_run_id, step_key, wait_id from child_note
            where (child_run_id, kind) > (?, ?) order by child_run_id, kind limit ?
            """;
    /**
     * A single statement, so that both results are of the same moment: a run that is retried moves from the history to
     * the queue.
     */
    private static final String STANDING = """
            select exists (select from job_queue q where q.bucket = r.bucket and q.id = r.id) as is_live,
                h.status, h.result::text as result, h.error_name, h.error_message, h.error_stack
            from (values (?::int, ?::uuid)) as r(bucket, id)
            left join job_history h on h.bucket = r.bucket and h.id = r.id
            """;

    private static final String REMOVE = "delete from child_note where child_run_id = ? and kind = ?";

    private final Database database;

    ChildNoteStore(Database database) {
        this.database = database;
    }

    /** Returns the notes after a given one, or the first notes. */
    List<ChildNote> find(Optional<ChildNote> after, int limit) {
        UUID child = after.map(note -> note.child().value()).orElse(new UUID(0, 0));
        int kind = after.map(note -> (int) note.kind().code()).orElse(0);
        return database.run(context -> context.fetch(FIND, child, kind, limit).map(ChildNoteStore::note));
    }

    /**
     * The state of a child run.
     *
     * @param end absent if the run is live or its record is gone
     */
    record Standing(boolean isLive, Optional<Outcome> end) {}

    Standing standing(RunId run) {
        return database.run(context -> context.fetchSingle(
                        STANDING, run.bucket().value(), run.value())
                .map(row -> new Standing(row.get("is_live", Boolean.class), end(row))));
    }

    void remove(ChildNote note) {
        database.run(context ->
                context.execute(REMOVE, note.child().value(), note.kind().code()));
    }

    private static ChildNote note(Record row) {
        return new ChildNote(
                new RunId(row.get("child_run_id", UUID.class)),
                ChildNoteKind.ofCode(row.get("kind", Integer.class)),
                new RunId(row.get("parent_run_id", UUID.class)),
                row.get("step_key", String.class),
                new JobId(row.get("wait_id", UUID.class)));
    }

    private static Optional<Outcome> end(Record row) {
        return Optional.ofNullable(row.get("status", Integer.class))
                .map(EndStatus::ofCode)
                .map(status -> outcome(status, row));
    }

    private static Outcome outcome(EndStatus status, Record row) {
        Json result = Optional.ofNullable(row.get("result", String.class))
                .map(Json::new)
                .orElse(Json.NULL);
        return switch (status) {
            case SUCCEEDED -> new Outcome.Succeeded(result);
            case SKIPPED -> new Outcome.Skipped(result);
            case FAILED -> new Outcome.Failed(error(row));
            case CANCELED -> new Outcome.Canceled(error(row));
        };
    }

    private static JobError error(Record row) {
        return new JobError(
                text(row, "error_name"),
                text(row, "error_message"),
                text(row, "error_stack"),
                false,
                Optional.ofNullable(row.get("result", String.class)).map(Json::new));
    }

    private static String text(Record row, String column) {
        return Optional.ofNullable(row.get(column, String.class)).orElse("");
    }
}
