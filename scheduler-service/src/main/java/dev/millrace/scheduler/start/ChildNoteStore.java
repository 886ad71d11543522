package dev.millrace.scheduler.start;

import dev.millrace.scheduler.database.Database;
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

/** The notes about runs that others wait for, and the ends of those runs. */
final class ChildNoteStore {
    private static final String FIND = """
            select child_run_id, kind, parent_run_id, step_key, wait_id from child_note
            where (child_run_id, kind) > (?, ?) order by child_run_id, kind limit ?
            """;
    private static final String END = """
            select status, result::text as result, error_name, error_message, error_stack
            from job_history where bucket = ? and id = ?
            """;
    private static final String IS_LIVE = "select 1 from job_queue where bucket = ? and id = ?";
    private static final String REMOVE = "delete from child_note where child_run_id = ? and kind = ?";

    private final Database database;

    ChildNoteStore(Database database) {
        this.database = database;
    }

    /** The notes after one of them; empty for the first ones. */
    List<ChildNote> find(Optional<ChildNote> after, int limit) {
        UUID child = after.map(note -> note.child().value()).orElse(new UUID(0, 0));
        int kind = after.map(note -> (int) note.kind().code()).orElse(0);
        return database.run(context -> context.fetch(FIND, child, kind, limit).map(ChildNoteStore::note));
    }

    /** How a run has ended; empty where it has not, or its record is gone. */
    Optional<Outcome> findEnd(RunId run) {
        return database.run(context ->
                context.fetchOptional(END, run.bucket().value(), run.value()).map(ChildNoteStore::outcome));
    }

    boolean isLive(RunId run) {
        return database.run(
                context -> context.fetchOptional(IS_LIVE, run.bucket().value(), run.value())
                        .isPresent());
    }

    void remove(ChildNote note) {
        database.run(context ->
                context.execute(REMOVE, note.child().value(), note.kind().code()));
    }

    private static ChildNote note(Record row) {
        return new ChildNote(
                new RunId(row.get("child_run_id", UUID.class)),
                ChildNote.Kind.ofCode(row.get("kind", Integer.class)),
                new RunId(row.get("parent_run_id", UUID.class)),
                row.get("step_key", String.class),
                new JobId(row.get("wait_id", UUID.class)));
    }

    private static Outcome outcome(Record row) {
        Json result = Optional.ofNullable(row.get("result", String.class))
                .map(Json::new)
                .orElse(Json.NULL);
        return switch (EndStatus.ofCode(row.get("status", Integer.class))) {
            case SUCCEEDED -> new Outcome.Succeeded(result);
            case SKIPPED -> new Outcome.Skipped(result);
            case FAILED -> new Outcome.Failed(error(row));
            case CANCELED -> new Outcome.Canceled(error(row));
        };
    }

    private static JobError error(Record row) {
        return new JobError(text(row, "error_name"), text(row, "error_message"), text(row, "error_stack"), false);
    }

    private static String text(Record row, String column) {
        return Optional.ofNullable(row.get(column, String.class)).orElse("");
    }
}
