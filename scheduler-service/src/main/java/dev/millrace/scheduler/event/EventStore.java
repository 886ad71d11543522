package dev.millrace.scheduler.event;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.core.Position;
import dev.millrace.scheduler.event.core.StoredEvent;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/** Events in Postgres, in the order in which their transactions committed. */
final class EventStore {
    private static final String OF_WORKSPACE = """
            (select * from event where workspace = ? and (transaction_id, number) > (?, ?)
             order by transaction_id, number limit ?)
            """;
    /** The events and the first transaction that has not ended are of one snapshot. */
    private static final String NEXT = """
            select s.*, e.* from (
                select l.epoch, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as settled,
                    (extract(epoch from now()) * 1000)::bigint as now_millis
                from event_log l where l.id = 1
            ) s left join lateral (
                select * from ($one union all $other) both_kinds order by transaction_id, number limit ?
            ) e on true
            order by e.transaction_id, e.number
            """.replace("$one", OF_WORKSPACE).replace("$other", OF_WORKSPACE);

    private final Database database;

    EventStore(Database database) {
        this.database = database;
    }

    /**
     * The next events.
     *
     * @param end where to go on
     * @param isLast whether no further event has been committed
     * @param isHeldUp whether further events are stored whose turn has not come, because an older transaction is open
     */
    record Batch(List<StoredEvent> events, Position end, boolean isLast, boolean isHeldUp) {}

    /** @param showsShared whether the events of workers that serve all workspaces count */
    Batch next(Workspace workspace, boolean showsShared, Position after, int limit) {
        return database.run(dsl -> {
            List<Record> rows = new ArrayList<>(dsl.fetch(
                    NEXT,
                    workspace.name(),
                    after.transaction(),
                    after.number(),
                    limit,
                    showsShared ? "" : workspace.name(),
                    showsShared ? after.transaction() : Long.MAX_VALUE,
                    after.number(),
                    limit,
                    limit));
            return batch(rows, after, limit);
        });
    }

    private static Batch batch(List<Record> rows, Position after, int limit) {
        Record first = rows.getFirst();
        int epoch = first.get("epoch", Integer.class);
        long settled = first.get("settled", Long.class);
        List<StoredEvent> events = new ArrayList<>();
        for (Record row : rows) {
            if (row.get("id") != null && row.get("transaction_id", Long.class) < settled) {
                events.add(event(row));
            }
        }
        boolean isHeldUp = first.get("id") != null && events.size() < rows.size();
        boolean isLast = events.size() < limit;
        Position end;
        if (isLast) {
            end = new Position(
                    epoch,
                    Math.max(settled, after.transaction()),
                    settled > after.transaction() ? 0 : after.number(),
                    first.get("now_millis", Long.class));
        } else {
            StoredEvent last = events.getLast();
            end = new Position(
                    epoch, last.transaction(), last.number(), last.time().toEpochMilli());
        }
        return new Batch(events, end, isLast, isHeldUp);
    }

    private static StoredEvent event(Record row) {
        return new StoredEvent(
                row.get("id", UUID.class),
                row.get("transaction_id", Long.class),
                row.get("number", Long.class),
                row.get("type", String.class),
                Optional.ofNullable(row.get("run_id", UUID.class)).map(RunId::new),
                row.get("name", String.class),
                row.get("step_key", String.class),
                row.get("detail", String.class),
                row.get("created_at", OffsetDateTime.class).toInstant());
    }
}
