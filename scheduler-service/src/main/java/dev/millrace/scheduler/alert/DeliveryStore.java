package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.alert.core.Delivery;
import dev.millrace.scheduler.database.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/** Messages of alerts in Postgres. */
final class DeliveryStore {
    private static final String DUE = """
            select *, (extract(epoch from now() - tried_since) * 1000)::bigint as age_millis
            from alert_delivery where workspace = ? and alert = ? and state = 'pending' and next_at <= now()
            order by next_at limit ?
            """;
    private static final String NEXT_DUE = """
            select ceil(extract(epoch from min(d.next_at) - now()) * 1000)::bigint from alert_delivery d
            where d.workspace = ? and d.alert = ? and d.state = 'pending'
            """;
    private static final String WAITING =
            "select count(*) from alert_delivery where workspace = ? and alert = ? and state = 'pending'";
    private static final String TAKEN = """
            update alert_delivery set state = 'delivered', attempts = attempts + 1, next_at = null, ended_at = now(), last_status = ?, last_error = ''
            where id = ? and state = 'pending' and attempts = ?
            """;
    private static final String LATER = """
            update alert_delivery set attempts = attempts + 1, next_at = now() + ? * interval '1 millisecond', last_status = ?, last_error = ?
            where id = ? and state = 'pending' and attempts = ?
            """;
    private static final String DEAD = """
            update alert_delivery set state = 'dead', attempts = attempts + 1, next_at = null, ended_at = now(), last_status = ?, last_error = ?
            where id = ? and state = 'pending' and attempts = ?
            """;
    private static final String LIST = """
            select * from alert_delivery where workspace = ? and alert = ? and id < ? and (? = '' or state = ?)
            order by id desc limit ?
            """;
    private static final String REPLAY = """
            update alert_delivery set state = 'pending', attempts = 0, next_at = now(), tried_since = now(), ended_at = null
            where workspace = ? and alert = ? and (id = ? or (?::uuid is null and state = 'dead')) and state <> 'pending'
            """;

    private final Database database;

    DeliveryStore(Database database) {
        this.database = database;
    }

    /** A message that is to be sent, and the time since it was first tried. */
    record Due(Delivery delivery, Duration age) {}

    List<Due> due(AlertKey alert, int limit) {
        return database.run(dsl -> dsl.fetch(DUE, alert.workspace().name(), alert.name(), limit)
                .map(row -> new Due(delivery(row), Duration.ofMillis(row.get("age_millis", Long.class)))));
    }

    Optional<Duration> untilNext(AlertKey alert) {
        return database.run(dsl -> Optional.ofNullable(
                        dsl.fetchSingle(NEXT_DUE, alert.workspace().name(), alert.name())
                                .get(0, Long.class))
                .map(millis -> Duration.ofMillis(Math.max(0, millis))));
    }

    long waiting(AlertKey alert) {
        return database.run(dsl ->
                dsl.fetchSingle(WAITING, alert.workspace().name(), alert.name()).get(0, Long.class));
    }

    void taken(Delivery sent, Optional<Integer> status) {
        database.run(dsl -> dsl.execute(TAKEN, status.orElse(null), sent.id(), sent.attempts()));
    }

    void later(Delivery sent, Attempt.Failed failed, Duration delay) {
        database.run(dsl -> dsl.execute(
                LATER, delay.toMillis(), failed.status().orElse(null), failed.error(), sent.id(), sent.attempts()));
    }

    void dead(Delivery sent, Attempt.Failed failed) {
        database.run(
                dsl -> dsl.execute(DEAD, failed.status().orElse(null), failed.error(), sent.id(), sent.attempts()));
    }

    /** Messages before this id, newest first. */
    List<Delivery> list(AlertKey alert, String state, UUID before, int limit) {
        return database.run(dsl -> dsl.fetch(LIST, alert.workspace().name(), alert.name(), before, state, state, limit)
                .map(DeliveryStore::delivery));
    }

    /** Sends one ended message again, or all that were given up; returns their number. */
    int replay(AlertKey alert, Optional<UUID> one) {
        return database.run(
                dsl -> dsl.execute(REPLAY, alert.workspace().name(), alert.name(), one.orElse(null), one.orElse(null)));
    }

    private static Delivery delivery(Record row) {
        return new Delivery(
                row.get("id", UUID.class),
                row.get("event_id", UUID.class),
                row.get("event_type", String.class),
                row.get("event", String.class),
                row.get("state", String.class),
                row.get("attempts", Integer.class),
                time(row, "next_at"),
                Optional.ofNullable(row.get("last_status", Integer.class)),
                row.get("last_error", String.class),
                row.get("created_at", OffsetDateTime.class).toInstant(),
                time(row, "ended_at"));
    }

    private static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
