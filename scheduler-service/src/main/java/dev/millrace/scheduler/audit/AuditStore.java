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
            select id, workspace, principal, credential_id, address, action, subject, outcome, detail::text as detail, calls,
                transaction_id
            from audit_event where id >= ? and id < ?
            """;
    private static final String AFTER = " and (transaction_id, id) > (?, ?) and transaction_id < ?";
    private static final String BY_ID = " order by id desc";
    private static final String BY_TRANSACTION = " order by transaction_id, id";
    private static final String TRANSACTION = "select transaction_id from audit_event where id = ?";
    /** Least ignores null, which stands for no event in this time. */
    private static final String END = """
            select least(pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
                (select min(transaction_id) from audit_event where id >= ? and id < ?))
            """;

    private static final String FORGET_FOREIGN = """
            update audit_event set transaction_id = 0
            where transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
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
        StringBuilder sql = new StringBuilder(SELECT);
        List<Object> values = new ArrayList<>(List.of(from, to));
        restrict(filter, sql, values);
        sql.append(BY_ID);
        return read(sql, values, limit).stream().map(Stored::event).toList();
    }

    /** An event and its place in the order in which events were stored. */
    record Stored(AuditEvent event, AuditPosition position) {}

    /** Events after this place that were stored before the transaction {@code end}, in the order in which they were stored. */
    List<Stored> next(AuditFilter filter, AuditPosition after, long end, int limit) {
        StringBuilder sql = new StringBuilder(SELECT);
        List<Object> values = new ArrayList<>(List.of(
                filter.since().map(AuditEvent::leastId).orElse(AuditFilter.FIRST),
                filter.until().map(AuditEvent::leastId).orElse(AuditFilter.LAST)));
        sql.append(AFTER);
        values.addAll(List.of(after.transaction(), after.id(), end));
        restrict(filter, sql, values);
        sql.append(BY_TRANSACTION);
        return read(sql, values, limit);
    }

    /** The place of an event; empty if there is none with this id. */
    Optional<AuditPosition> positionOf(UUID id) {
        return database.run(dsl -> dsl.fetch(TRANSACTION, id).stream().findFirst())
                .map(row -> new AuditPosition(row.get(0, Long.class), id));
    }

    /**
     * The first transaction that may still store events, or that stored one whose call began less than this time ago.
     * Transactions below it have ended. A clock that is far ahead of the database's does not count as young.
     */
    long end(Duration young) {
        Instant now = database.run(dsl -> dsl.fetchSingle("select now()").get(0, OffsetDateTime.class))
                .toInstant();
        UUID from = AuditEvent.leastId(now.minus(young));
        UUID to = AuditEvent.leastId(now.plus(young));
        return database.run(dsl -> dsl.fetchSingle(END, from, to).get(0, Long.class));
    }

    /**
     * Orders the events that were restored from the database of another server before all others: the numbers of its
     * transactions mean nothing here.
     */
    void forgetForeignTransactions() {
        database.run(dsl -> dsl.execute(FORGET_FOREIGN));
    }

    private List<Stored> read(StringBuilder sql, List<Object> values, int limit) {
        sql.append(" limit ?");
        values.add(limit);
        return database.run(dsl -> dsl.fetch(sql.toString(), values.toArray()).map(AuditStore::stored));
    }

    private static void restrict(AuditFilter filter, StringBuilder sql, List<Object> values) {
        filter.workspace().map(Workspace::name).ifPresent(name -> equal("workspace", name, sql, values));
        filter.principal().ifPresent(name -> equal("principal", name, sql, values));
        filter.action().ifPresent(name -> equal("action", name, sql, values));
        filter.subject().ifPresent(name -> equal("subject", name, sql, values));
        filter.outcome().map(AuditOutcome::text).ifPresent(text -> equal("outcome", text, sql, values));
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

    private static Stored stored(Record row) {
        AuditEvent event = event(row);
        return new Stored(event, new AuditPosition(row.get("transaction_id", Long.class), event.id()));
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
}
