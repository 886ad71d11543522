package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Notes occurrences in the transaction of a kind, for example of a schedule that moves on to its next tick. A claimed
 * occurrence is durable: this scheduler passes it to {@link TriggerStarts#finish} after the commit, and if it dies
 * before, another one does.
 */
public final class TriggerStartRows {
    /** How long other schedulers leave a claimed occurrence alone. */
    static final Duration CLAIM_TIME = Duration.ofSeconds(15);

    private static final String NOTE = NamedCodes.expand("""
            insert into trigger_start (trigger_id, occurrence, workspace, id, state, cancels, input, occurred_at, reason, claimed_until)
            select n.*, case when n.state = {StartState.CLAIMED} then now() + ? * interval '1 millisecond' end
            from unnest(?::uuid[], ?::text[], ?::text[], ?::uuid[], ?::smallint[], ?::uuid[], ?::text[], ?::timestamptz[], ?::text[])
                as n(trigger_id, occurrence, workspace, id, state, cancels, input, occurred_at, reason)
            on conflict (trigger_id, occurrence) do nothing
            returning trigger_id, occurrence, id, cancels, input, noted_at, state
            """, StartState.CODES);

    private static final String RELEASE = NamedCodes.expand("""
            update trigger_start s set state = {StartState.CLAIMED}, claimed_until = now() + ? * interval '1 millisecond'
            from (
                select distinct on (trigger_id) trigger_id, occurrence from trigger_start
                where trigger_id = any (?::uuid[]) and state = {StartState.WAITING} order by trigger_id, id
            ) w
            where s.trigger_id = w.trigger_id and s.occurrence = w.occurrence and s.state = {StartState.WAITING}
            returning s.trigger_id, s.occurrence, s.id, s.cancels, s.input, s.noted_at
            """, StartState.CODES);

    private TriggerStartRows() {}

    /** Claims the occurrence of each trigger that has waited longest. */
    public static List<ClaimedStart> release(DSLContext dsl, Collection<TriggerId> triggers) {
        if (triggers.isEmpty()) {
            return List.of();
        }
        UUID[] ids = triggers.stream().map(TriggerId::value).toArray(UUID[]::new);
        return dsl.fetch(RELEASE, CLAIM_TIME.toMillis(), ids).map(TriggerStartRows::claimed);
    }

    /**
     * Notes occurrences that were not noted before. The triggers' rows must exist until the commit.
     *
     * @return those that were noted now
     */
    public static NotedStarts note(DSLContext dsl, List<NewStart> starts) {
        if (starts.isEmpty()) {
            return NotedStarts.NONE;
        }
        List<ClaimedStart> claimed = new ArrayList<>();
        List<NotedStarts.Unstarted> unstarted = new ArrayList<>();
        dsl.fetch(
                        NOTE,
                        CLAIM_TIME.toMillis(),
                        column(starts, start -> start.trigger().value(), UUID[]::new),
                        column(starts, NewStart::occurrence, String[]::new),
                        column(starts, start -> start.workspace().name(), String[]::new),
                        column(starts, start -> start.id().value(), UUID[]::new),
                        column(starts, start -> start.state().code(), Short[]::new),
                        column(
                                starts,
                                start -> start.cancels().map(RunId::value).orElse(null),
                                UUID[]::new),
                        column(starts, start -> start.input().map(Json::text).orElse(null), String[]::new),
                        column(starts, start -> utc(start.occurredAt()), OffsetDateTime[]::new),
                        column(starts, NewStart::reason, String[]::new))
                .forEach(row -> {
                    StartState state = StartState.of(row.get("state", Short.class));
                    switch (state) {
                        case CLAIMED -> claimed.add(claimed(row));
                        case WAITING -> {}
                        case STARTED, REFUSED, SKIPPED, MISSED ->
                            unstarted.add(
                                    new NotedStarts.Unstarted(new TriggerId(row.get("trigger_id", UUID.class)), state));
                    }
                });
        return new NotedStarts(claimed, unstarted);
    }

    static ClaimedStart claimed(Record row) {
        return new ClaimedStart(
                new TriggerId(row.get("trigger_id", UUID.class)),
                row.get("occurrence", String.class),
                new RunId(row.get("id", UUID.class)),
                Optional.ofNullable(row.get("cancels", UUID.class)).map(RunId::new),
                Optional.ofNullable(row.get("input", String.class)).map(Json::new),
                TriggerRows.time(row, "noted_at").orElseThrow());
    }

    static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    static <T> Object column(
            List<NewStart> starts, Function<NewStart, @Nullable T> value, IntFunction<@Nullable T[]> array) {
        return starts.stream().map(value).toArray(array);
    }
}
