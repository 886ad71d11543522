package dev.millrace.scheduler.eventtrigger;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.NotedStarts;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerRows;
import dev.millrace.scheduler.trigger.TriggerStartRows;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/**
 * Where the triggers of a workspace stand in its events. One scheduler at a time holds a workspace, and its position moves
 * in the transaction that notes the starts, so each event starts one run of a trigger.
 */
final class EventTriggerStore {
    private static final String CLAIM = """
            with free as (
                select workspace from event_trigger_reader
                where held_until is null or held_until <= now() or holder = ?
                order by held_until nulls first, workspace limit ? for update skip locked
            )
            update event_trigger_reader r set holder = ?, held_until = now() + ? * interval '1 millisecond'
            from free f where r.workspace = f.workspace
            returning r.workspace, r.position
            """;
    private static final String RELEASE =
            "update event_trigger_reader set held_until = null, holder = null where holder = ?";
    private static final String TRIGGERS = "select " + TriggerRows.COLUMNS + """
            , case when e.epoch = l.epoch then e.since_transaction else 0 end as since_transaction
            from trigger t join event_trigger e on e.trigger_id = t.id join event_log l on l.id = 1
            where t.workspace = ? and t.kind = 'event' and t.paused_at is null order by t.path
            """;
    private static final String LOCK = "select from event_trigger_reader where workspace = ? and holder = ? for update";
    /** A statement of its own, so that it sees what was committed before the lock was free. */
    private static final String FORGET = """
            delete from event_trigger_reader r where r.workspace = ?
                and not exists (select from trigger t where t.workspace = r.workspace and t.kind = 'event' and t.paused_at is null)
            """;

    private static final String MOVE = """
            update event_trigger_reader set position = ? where workspace = ? and holder = ? and position = ? and held_until > now()
            """;
    private static final String KEEP = "select id from trigger where id = any (?::uuid[]) order by id for key share";
    /**
     * A run that a step of another run has started has the place of that one. Merged submissions can make a run follow from
     * several: the longest way to it counts. What people restart begins anew.
     */
    private static final String LINKS = """
            with recursive up (run, ancestor, steps) as (
                select run, run, 0 from unnest(?::uuid[]) as run
                union all
                select u.run, o.origin_run_id, u.steps + 1 from up u join run_origin o on o.run_id = u.ancestor
                where u.steps < ? and o.relation in ('start_run', 'child_run', 'failure_flow')
                    and not exists (select from trigger_start s where s.depth > 0 and coalesce(s.run_id, s.id) = u.ancestor)
            )
            select distinct on (u.run) u.run, s.depth, s.chain
            from up u join trigger_start s on s.depth > 0 and coalesce(s.run_id, s.id) = u.ancestor
            order by u.run, s.depth desc
            """;
    /** Maximum number of runs that are followed from a run to the one whose steps led to it. */
    private static final int ORIGINS_MAX = 100;

    private static final String COUNT = """
            select chain, count(*)::int as runs from trigger_start where chain = any (?::uuid[]) group by chain
            """;
    private static final String SET_LINKS = """
            update trigger_start s set depth = n.depth, chain = n.chain
            from unnest(?::uuid[], ?::text[], ?::int[], ?::uuid[]) as n(trigger_id, occurrence, depth, chain)
            where s.trigger_id = n.trigger_id and s.occurrence = n.occurrence and s.depth <> n.depth
            """;

    private final Database database;

    EventTriggerStore(Database database) {
        this.database = database;
    }

    /** A workspace whose events this scheduler reads, and where they go on. */
    record Held(Workspace workspace, String position) {}

    /** A trigger that is active. Events of transactions before {@code since} are not its own. */
    record Listener(Trigger trigger, long since) {}

    /** A start with the place of its run in its chain; a refusal has none. */
    record LinkedStart(NewStart start, Optional<Chains.Link> link) {}

    /**
     * Takes workspaces that nobody holds, and prolongs those that this scheduler holds. If there are more than the limit,
     * they take turns.
     */
    List<Held> claim(UUID holder, int limit, Duration held) {
        return database.run(dsl -> dsl.fetch(CLAIM, holder, limit, holder, held.toMillis())
                .map(row ->
                        new Held(Workspace.of(row.get("workspace", String.class)), row.get("position", String.class))));
    }

    /** Lets others take the workspaces at once. */
    void release(UUID holder) {
        database.run(dsl -> dsl.execute(RELEASE, holder));
    }

    List<Listener> listeners(Workspace workspace) {
        return database.run(dsl -> dsl.fetch(TRIGGERS, workspace.name())
                .map(row -> new Listener(TriggerRows.read(row), row.get("since_transaction", Long.class))));
    }

    /** Forgets a workspace without active triggers. Returns false if it has one meanwhile. */
    boolean forget(Workspace workspace, UUID holder) {
        return database.transaction(dsl ->
                !dsl.fetch(LOCK, workspace.name(), holder).isEmpty() && dsl.execute(FORGET, workspace.name()) == 1);
    }

    /** The chains to which runs belong. Only the holder of their workspace adds to them. */
    Chains chains(Collection<RunId> runs) {
        Map<RunId, Chains.Link> links = new HashMap<>();
        UUID[] ids = distinct(runs);
        List<Record> found =
                ids.length == 0 ? List.of() : List.copyOf(database.run(dsl -> dsl.fetch(LINKS, ids, ORIGINS_MAX)));
        for (Record row : found) {
            links.put(
                    new RunId(row.get("run", UUID.class)),
                    new Chains.Link(new RunId(row.get("chain", UUID.class)), row.get("depth", Integer.class)));
        }
        Map<RunId, Integer> counts = new HashMap<>();
        UUID[] chains = distinct(links.values().stream().map(Chains.Link::first).toList());
        List<Record> counted =
                chains.length == 0 ? List.of() : List.copyOf(database.run(dsl -> dsl.fetch(COUNT, (Object) chains)));
        for (Record row : counted) {
            counts.put(new RunId(row.get("chain", UUID.class)), row.get("runs", Integer.class));
        }
        return new Chains(links, counts);
    }

    private static UUID[] distinct(Collection<RunId> runs) {
        return runs.stream().map(RunId::value).distinct().toArray(UUID[]::new);
    }

    /**
     * Notes starts and moves the position beyond their events. Returns empty if nothing was done, because another scheduler
     * holds the workspace.
     */
    Optional<NotedStarts> move(Held held, UUID holder, String position, List<LinkedStart> starts) {
        return database.tryTransaction(dsl -> {
            if (dsl.execute(MOVE, position, held.workspace().name(), holder, held.position()) == 0) {
                return Optional.<NotedStarts>empty();
            }
            UUID[] triggers = starts.stream()
                    .map(start -> start.start().trigger().value())
                    .distinct()
                    .toArray(UUID[]::new);
            List<UUID> kept = dsl.fetch(KEEP, (Object) triggers).map(row -> row.get("id", UUID.class));
            List<LinkedStart> noted = starts.stream()
                    .filter(start -> kept.contains(start.start().trigger().value()))
                    .toList();
            NotedStarts stored = TriggerStartRows.note(
                    dsl, noted.stream().map(LinkedStart::start).toList());
            List<LinkedStart> linked =
                    noted.stream().filter(start -> start.link().isPresent()).toList();
            List<Chains.Link> links =
                    linked.stream().flatMap(start -> start.link().stream()).toList();
            dsl.execute(
                    SET_LINKS,
                    linked.stream()
                            .map(start -> start.start().trigger().value())
                            .toArray(UUID[]::new),
                    linked.stream().map(start -> start.start().occurrence()).toArray(String[]::new),
                    links.stream().map(Chains.Link::depth).toArray(Integer[]::new),
                    links.stream().map(link -> link.first().value()).toArray(UUID[]::new));
            return Optional.of(stored);
        });
    }
}
