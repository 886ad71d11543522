package dev.millrace.scheduler.audit;

import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.audit.core.AuditOutcome;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.Witness;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/**
 * Audit events in Postgres. An event has one id from the beginning of its call, so that whoever writes it again changes
 * the row instead of adding another.
 */
final class AuditStore {
    private static final String INSERT = """
            insert into audit_event (id, workspace, principal, credential_id, address, action, subject, outcome, detail, calls)
            select ?::uuid, ?::text, ?::text, ?::uuid, ?::text, ?::text, ?::text, ?::text, ?::json, ?::bigint
            """;
    /** A failure is known later than a change, and that a change was made is known later than that nobody knows. */
    private static final String ON_CONFLICT = """
            on conflict (id) do update set outcome = excluded.outcome, detail = excluded.detail
            where excluded.outcome = 'failed' or audit_event.outcome = 'unknown'
            """;

    private static final String WITH_CHANGES =
            INSERT + "where pg_current_xact_id_if_assigned() is not null\n" + ON_CONFLICT;
    private static final String ALWAYS = INSERT + ON_CONFLICT;

    private static final String SELECT = """
            select id, workspace, principal, credential_id, address, action, subject, outcome, detail::text as detail, calls
            from audit_event where id >= ? and id < ?
            """;

    private final Database database;

    AuditStore(Database database) {
        this.database = database;
    }

    /** Writes an event into a transaction, if that has changed something. Returns whether it was written. */
    static boolean insertWithChanges(Witness.Statements transaction, AuditEvent event) {
        return transaction.execute(WITH_CHANGES, values(event)) > 0;
    }

    void insert(AuditEvent event) {
        insert(List.of(event));
    }

    void insert(List<AuditEvent> events) {
        database.transaction(dsl -> {
            events.forEach(event -> dsl.execute(ALWAYS, values(event)));
            return 0;
        });
    }

    /** Events with ids below {@code before}, newest first. */
    List<AuditEvent> newest(AuditFilter filter, UUID before, int limit) {
        UUID to = filter.until()
                .map(AuditEvent::leastId)
                .filter(until -> isBefore(until, before))
                .orElse(before);
        UUID from = filter.since().map(AuditEvent::leastId).orElse(AuditFilter.FIRST);
        return read(filter, from, to, "desc", limit);
    }

    /** Events with ids after {@code after} that began before {@code end}, oldest first. */
    List<AuditEvent> oldest(AuditFilter filter, UUID after, Instant end, int limit) {
        UUID next = successor(after);
        UUID from = filter.since()
                .map(AuditEvent::leastId)
                .filter(since -> isBefore(next, since))
                .orElse(next);
        Instant until = filter.until().filter(time -> time.isBefore(end)).orElse(end);
        return read(filter, from, AuditEvent.leastId(until), "asc", limit);
    }

    /** The time of the database this long ago. */
    Instant ago(Duration time) {
        return database.run(dsl -> dsl.fetchSingle("select now()").get(0, OffsetDateTime.class))
                .toInstant()
                .minus(time);
    }

    private List<AuditEvent> read(AuditFilter filter, UUID from, UUID to, String order, int limit) {
        StringBuilder sql = new StringBuilder(SELECT);
        List<Object> values = new ArrayList<>(List.of(from, to));
        filter.workspace().map(Workspace::name).ifPresent(name -> equal("workspace", name, sql, values));
        filter.principal().ifPresent(name -> equal("principal", name, sql, values));
        filter.action().ifPresent(name -> equal("action", name, sql, values));
        filter.subject().ifPresent(name -> equal("subject", name, sql, values));
        filter.outcome().map(AuditOutcome::text).ifPresent(text -> equal("outcome", text, sql, values));
        sql.append(" order by id ").append(order).append(" limit ?");
        values.add(limit);
        return database.run(dsl -> dsl.fetch(sql.toString(), values.toArray()).map(AuditStore::event));
    }

    private static void equal(String column, String value, StringBuilder sql, List<Object> values) {
        sql.append(" and ").append(column).append(" = ?");
        values.add(value);
    }

    private static Object[] values(AuditEvent event) {
        return new Object[] {
            event.id(),
            event.workspace().map(Workspace::name).orElse(""),
            event.principal(),
            event.credential().orElse(null),
            event.address(),
            event.action(),
            event.subject(),
            event.outcome().text(),
            event.detail(),
            event.calls()
        };
    }

    private static AuditEvent event(Record row) {
        return new AuditEvent(
                row.get("id", UUID.class),
                Optional.of(row.get("workspace", String.class))
                        .filter(name -> !name.isEmpty())
                        .map(Workspace::of),
                row.get("principal", String.class),
                Optional.ofNullable(row.get("credential_id", UUID.class)),
                row.get("address", String.class),
                row.get("action", String.class),
                row.get("subject", String.class),
                AuditOutcome.of(row.get("outcome", String.class)),
                row.get("detail", String.class),
                row.get("calls", Long.class));
    }

    /** The order of Postgres, which differs from that of {@link UUID#compareTo}. */
    private static boolean isBefore(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high < 0
                || (high == 0
                        && Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits()) < 0);
    }

    private static UUID successor(UUID id) {
        long low = id.getLeastSignificantBits() + 1;
        return new UUID(id.getMostSignificantBits() + (low == 0 ? 1 : 0), low);
    }
}
