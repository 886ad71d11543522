package dev.millrace.scheduler.mqtt;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.mqtt.core.Handover;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerStartRows;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Sessions of triggers at their brokers, and which scheduler holds them. Ids of messages of QoS 2 change in the transaction
 * that notes the messages, and only the holder changes them. So each such message is noted once, whoever dies when.
 */
final class MqttSessionStore {
    /** Schedulers that know another version of the trigger get nothing. */
    private static final String CLAIM = """
            insert into mqtt_session as s (trigger_id, source, holder, held_until)
            select id, ?, ?, now() + ? * interval '1 millisecond' from trigger where id = ? and version = ? and paused_at is null
            on conflict (trigger_id) do update set
                source = excluded.source, holder = excluded.holder, held_until = excluded.held_until,
                subscriptions = case when s.source = excluded.source then s.subscriptions else '{}' end,
                received = case when s.source = excluded.source then s.received else '{}' end,
                heard_at = case when s.source = excluded.source then s.heard_at end
            where s.holder = excluded.holder or s.held_until < now()
            """;

    private static final String RELEASE =
            "update mqtt_session set held_until = now() where trigger_id = ? and holder = ?";
    /** Locked before the session, as a deletion does. */
    private static final String ACTIVE =
            "select 1 from trigger where id = ? and version = ? and paused_at is null for key share";

    private static final String EXISTS = "select 1 from trigger where id = ?";

    private static final String LOCK = """
            select subscriptions, received, heard_at, clock_timestamp() as now from mqtt_session
            where trigger_id = ? and holder = ? and source = ? for no key update
            """;
    private static final String FORGET =
            "update mqtt_session set subscriptions = '{}', received = '{}' where trigger_id = ?";
    private static final String SUBSCRIBED = "update mqtt_session set subscriptions = ? where trigger_id = ?";
    private static final String RECEIVED = "update mqtt_session set received = ? where trigger_id = ?";
    private static final String HEARD =
            "update mqtt_session set heard_at = clock_timestamp() where trigger_id = ? and holder = ?";

    private final Database database;

    MqttSessionStore(Database database) {
        this.database = database;
    }

    /**
     * Who asks.
     *
     * @param trigger with its version
     * @param source names the session
     * @param holder names the scheduler
     */
    record Holder(Trigger trigger, String source, UUID holder) {}

    /** Makes a scheduler the one that is connected, or prolongs that. Returns false if it may not be. */
    boolean claim(Holder by, Duration time) {
        return database.run(dsl -> dsl.execute(
                        CLAIM,
                        by.source(),
                        by.holder(),
                        time.toMillis(),
                        by.trigger().id().value(),
                        by.trigger().version()))
                == 1;
    }

    /** Lets another scheduler connect at once. */
    void release(Holder by) {
        database.run(dsl -> dsl.execute(RELEASE, by.trigger().id().value(), by.holder()));
    }

    /** Notes that the scheduler is connected. */
    void heard(Holder by) {
        database.run(dsl -> dsl.execute(HEARD, by.trigger().id().value(), by.holder()));
    }

    /** Whether the trigger was not deleted. */
    boolean hasTrigger(Holder by) {
        return database.run(dsl -> !dsl.fetch(EXISTS, by.trigger().id().value()).isEmpty());
    }

    /** What a session was subscribed to, and what was noted about it. */
    record Begun(Set<String> subscriptions, NotedStarts noted) {}

    /**
     * Begins with a connection.
     *
     * @param isKept whether the broker has kept the session; if not, what is known of it is forgotten
     * @param gap what to note if the broker has forgotten a session that it had, by the time of the last connection and the
     *     time now
     * @return empty if the scheduler does not hold the session any more
     */
    Optional<Begun> begin(Holder by, boolean isKept, BiFunction<Instant, Instant, NewStart> gap) {
        return database.transaction(dsl -> locked(dsl, by).map(row -> {
            Set<String> subscriptions = Set.of(row.get("subscriptions", String[].class));
            if (isKept) {
                return new Begun(subscriptions, NotedStarts.NONE);
            }
            dsl.execute(FORGET, by.trigger().id().value());
            Instant now = row.get("now", OffsetDateTime.class).toInstant();
            Instant before = Optional.ofNullable(row.get("heard_at", OffsetDateTime.class))
                    .map(OffsetDateTime::toInstant)
                    .orElse(now);
            List<NewStart> starts = subscriptions.isEmpty() ? List.of() : List.of(gap.apply(before, now));
            return new Begun(Set.of(), TriggerStartRows.note(dsl, starts));
        }));
    }

    /** Notes what the session is subscribed to. Returns false if the scheduler does not hold it any more. */
    boolean subscribed(Holder by, Set<String> subscriptions) {
        return database.transaction(dsl -> {
            boolean isHeld = locked(dsl, by).isPresent();
            if (isHeld) {
                dsl.execute(
                        SUBSCRIBED,
                        subscriptions.toArray(String[]::new),
                        by.trigger().id().value());
            }
            return isHeld;
        });
    }

    /** What to note: how messages pass, and what those start that are new. */
    record Noting(Handover handover, List<NewStart> starts) {}

    /** What was noted. */
    record Noted(Noting noting, NotedStarts starts) {}

    /**
     * Notes messages.
     *
     * @param noting what to note, by the ids of QoS 2 that were received and not released
     * @return empty if the scheduler does not hold the session any more, so that nothing was noted
     */
    Optional<Noted> note(Holder by, Function<Set<Integer>, Noting> noting) {
        return database.transaction(dsl -> locked(dsl, by).map(row -> {
            Set<Integer> received = Set.of(row.get("received", Integer[].class));
            Noting made = noting.apply(received);
            NotedStarts noted = TriggerStartRows.note(dsl, made.starts());
            Set<Integer> after = made.handover().received();
            if (!after.equals(received)) {
                dsl.execute(
                        RECEIVED,
                        after.toArray(Integer[]::new),
                        by.trigger().id().value());
            }
            return new Noted(made, noted);
        }));
    }

    private static Optional<Record> locked(DSLContext dsl, Holder by) {
        UUID trigger = by.trigger().id().value();
        return dsl.fetch(ACTIVE, trigger, by.trigger().version()).isEmpty()
                ? Optional.empty()
                : dsl.fetch(LOCK, trigger, by.holder(), by.source()).stream().findFirst();
    }
}
