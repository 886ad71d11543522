package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Occurrences in Postgres. Only claimed ones change, so a scheduler that is late with an outcome changes nothing. */
final class TriggerStartStore {
    private static final String COLUMNS = "id, occurrence, state, run_id, reason, occurred_at, noted_at";
    private static final String LIST = "select " + COLUMNS
            + " from trigger_start where trigger_id = ? and id < ? order by trigger_id, id desc limit ?";
    private static final String FIND =
            "select " + COLUMNS + " from trigger_start where trigger_id = ? and occurrence = ?";

    private static final String PENDING = """
            select count(*) from (
                select 1 from trigger_start where claimed_until is not null and trigger_id = ? limit ?
            ) pending
            """;

    private static final String RECLAIM = NamedCodes.expand(
            ClaimTurns.choose("trigger_start", "trigger_id, occurrence", "coalesce(octet_length(input), 0)") + """
            update trigger_start s set claimed_until = now() + ? * interval '1 millisecond'
            from chosen e where s.trigger_id = e.trigger_id and s.occurrence = e.occurrence and s.state = {StartState.CLAIMED}
            returning s.trigger_id, s.occurrence, s.id, s.cancels, s.input, s.noted_at
            """,
            StartState.CODES);

    private static final String REPEAT = NamedCodes.expand("""
            update trigger_start set state = {StartState.CLAIMED}, claimed_until = now() + ? * interval '1 millisecond', input = ?, reason = '',
                occurred_at = ?::timestamptz, noted_at = now()
            where trigger_id = ? and occurrence = ? and state = {StartState.REFUSED}
            returning trigger_id, occurrence, id, cancels, input, noted_at
            """, StartState.CODES);

    private static final String END = NamedCodes.expand("""
            update trigger_start s
            set state = case when n.run_id is null then {StartState.REFUSED} else {StartState.STARTED} end, run_id = n.run_id, reason = n.reason,
                input = null, claimed_until = null
            from unnest(?::uuid[], ?::text[], ?::uuid[], ?::text[]) as n(trigger_id, occurrence, run_id, reason)
            where s.trigger_id = n.trigger_id and s.occurrence = n.occurrence and s.state = {StartState.CLAIMED}
            """, StartState.CODES);

    private final Database database;

    TriggerStartStore(Database database) {
        this.database = database;
    }

    /** Notes occurrences in a transaction of their own. */
    NotedStarts note(List<NewStart> starts) {
        return database.transaction(dsl -> TriggerStartRows.note(dsl, starts));
    }

    /**
     * Claims an occurrence again that was refused. It keeps its id, and so its request id: should its run have been accepted after
     * all, there is no second one.
     */
    List<ClaimedStart> repeat(NewStart start) {
        return database.run(dsl -> dsl.fetch(
                        REPEAT,
                        TriggerStartRows.CLAIM_TIME.toMillis(),
                        start.input().map(Json::text).orElse(null),
                        TriggerStartRows.utc(start.occurredAt()),
                        start.trigger().value(),
                        start.occurrence())
                .map(TriggerStartRows::claimed));
    }

    /** Number of runs of the trigger that were noted and are not accepted yet, at most {@code max}. */
    int pending(TriggerId trigger, int max) {
        return database.run(
                dsl -> dsl.fetchSingle(PENDING, trigger.value(), max).into(int.class));
    }

    /**
     * Claims occurrences whose claims have expired, of some workspaces.
     *
     * @param passedOver workspaces of which nothing is claimed
     */
    List<ClaimedStart> reclaim(Collection<Workspace> passedOver, int workspacesMax, ClaimTurns.Share share) {
        String[] names = passedOver.stream().map(Workspace::name).toArray(String[]::new);
        return database.run(dsl -> dsl.fetch(
                        RECLAIM,
                        names,
                        workspacesMax,
                        share.rowsMax(),
                        share.bytesMax(),
                        TriggerStartRows.CLAIM_TIME.toMillis())
                .map(TriggerStartRows::claimed));
    }

    /** What became of a claimed occurrence. */
    record Ended(ClaimedStart start, Optional<RunId> run, String reason) {}

    void end(List<Ended> ends) {
        if (ends.isEmpty()) {
            return;
        }
        UUID[] triggers =
                ends.stream().map(end -> end.start().trigger().value()).toArray(UUID[]::new);
        String[] occurrences =
                ends.stream().map(end -> end.start().occurrence()).toArray(String[]::new);
        @Nullable UUID[] runs = ends.stream()
                .map(end -> end.run().map(RunId::value).orElse(null))
                .toArray(UUID[]::new);
        String[] reasons = ends.stream().map(Ended::reason).toArray(String[]::new);
        database.run(dsl -> dsl.execute(END, triggers, occurrences, runs, reasons));
    }

    Optional<TriggerStart> find(TriggerId trigger, String occurrence) {
        return database.run(dsl -> dsl.fetch(FIND, trigger.value(), occurrence).stream()
                .map(TriggerStartStore::read)
                .findFirst());
    }

    /** Entries of a trigger, newest first. */
    List<TriggerStart> list(TriggerId trigger, UUID before, int limit) {
        return database.run(
                dsl -> dsl.fetch(LIST, trigger.value(), before, limit).map(TriggerStartStore::read));
    }

    private static TriggerStart read(Record row) {
        return new TriggerStart(
                new RunId(row.get("id", UUID.class)),
                row.get("occurrence", String.class),
                StartState.of(row.get("state", Short.class)),
                Optional.ofNullable(row.get("run_id", UUID.class)).map(RunId::new),
                row.get("reason", String.class),
                TriggerRows.time(row, "occurred_at").orElseThrow(),
                TriggerRows.time(row, "noted_at").orElseThrow());
    }
}
