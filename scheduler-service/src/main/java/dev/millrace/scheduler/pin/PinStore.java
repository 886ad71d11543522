package dev.millrace.scheduler.pin;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;

/**
 * Pins in Postgres.
 *
 * <p>A sweep locks the table of pins while it decides which runs stay. A pin first inserts its row and then checks that
 * the run exists. So either the sweep sees the pin, or the pin sees that the run is gone.
 */
final class PinStore {
    private static final UUID AFTER_ALL = new UUID(-1, -1);
    private static final String PIN = """
            insert into pinned_run (run_id, workspace, actor, reason) values (?, ?, ?, ?) on conflict (run_id) do nothing
            """;
    private static final String UNPIN = "delete from pinned_run where run_id = ?";
    private static final String IS_THERE = """
            select 1 from job_queue where id = ? and workspace = ?
            union all
            select 1 from job_history where id = ? and id = run_id and workspace = ?
            """;
    private static final String RECORD = """
            insert into run_operation (run_id, id, operation, actor, reason, request_id, details) values (?, ?, ?, ?, ?, ?, '{}')
            on conflict (run_id, request_id) where request_id <> '' do nothing
            """;
    private static final String LIST = """
            select run_id, actor, reason, pinned_at from pinned_run where workspace = ? and run_id < ? order by run_id desc limit ?
            """;

    private final Database database;

    PinStore(Database database) {
        this.database = database;
    }

    /**
     * Pins the run and records the operation under {@code id}. Does nothing if the run does not exist, or if the
     * request id was used before.
     */
    void pin(RunRef run, OperationNote note, UUID id) {
        database.tryTransaction(dsl -> {
            dsl.execute(PIN, run.id().value(), run.workspace().name(), note.actor(), note.reason());
            return recorded(dsl, run, OperationKind.PIN, note, id);
        });
    }

    /** Unpins the run and records the operation, under the same conditions. */
    void unpin(RunRef run, OperationNote note, UUID id) {
        database.tryTransaction(dsl -> {
            dsl.execute(UNPIN, run.id().value());
            return recorded(dsl, run, OperationKind.UNPIN, note, id);
        });
    }

    /**
     * Records the operation. Empty rolls the transaction back: the run does not exist, or the request id was used
     * before.
     */
    private static Optional<Boolean> recorded(
            DSLContext dsl, RunRef run, OperationKind operation, OperationNote note, UUID id) {
        UUID key = run.id().value();
        String workspace = run.workspace().name();
        return Optional.of(dsl.fetch(IS_THERE, key, workspace, key, workspace).isNotEmpty()
                        && dsl.execute(RECORD, key, id, operation.text(), note.actor(), note.reason(), note.requestId())
                                == 1)
                .filter(done -> done);
    }

    /** Pinned runs of a workspace, newest first, after {@code before} in that order. */
    List<PinnedRun> list(Workspace workspace, Optional<RunId> before, int limit) {
        return database.run(dsl -> dsl.fetch(
                        LIST, workspace.name(), before.map(RunId::value).orElse(AFTER_ALL), limit)
                .map(row -> new PinnedRun(
                        new RunId(row.get("run_id", UUID.class)),
                        row.get("actor", String.class),
                        row.get("reason", String.class),
                        row.get("pinned_at", OffsetDateTime.class).toInstant())));
    }
}
