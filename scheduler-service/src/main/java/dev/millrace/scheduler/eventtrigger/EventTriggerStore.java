package dev.millrace.scheduler.eventtrigger;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.ClaimedStart;
import dev.millrace.scheduler.trigger.NewStart;
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
                order by workspace limit ? for update skip locked
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
    /** Merged submissions can make a run follow from several: the longest way to it counts. */
    private static final String LINKS = """
            select distinct on (coalesce(run_id, id)) coalesce(run_id, id) as run, depth, chain from trigger_start
            where depth > 0 and coalesce(run_id, id) = any (?::uuid[]) order by coalesce(run_id, id), depth desc
            """;

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

    /** Takes workspaces that nobody holds, and prolongs those that this scheduler holds. */
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
        for (Record row : fetch(LINKS, runs)) {
            links.put(
                    new RunId(row.get("run", UUID.class)),
                    new Chains.Link(new RunId(row.get("chain", UUID.class)), row.get("depth", Integer.class)));
        }
        Map<RunId, Integer> counts = new HashMap<>();
        for (Record row :
                fetch(COUNT, links.values().stream().map(Chains.Link::first).toList())) {
            counts.put(new RunId(row.get("chain", UUID.class)), row.get("runs", Integer.class));
        }
        return new Chains(links, counts);
    }

    private List<Record> fetch(String sql, Collection<RunId> runs) {
        UUID[] ids = runs.stream().map(RunId::value).distinct().toArray(UUID[]::new);
        return ids.length == 0 ? List.of() : List.copyOf(database.run(dsl -> dsl.fetch(sql, (Object) ids)));
    }

    /**
     * Notes starts and moves the position beyond their events. Returns empty if nothing was done, because another scheduler
     * holds the workspace.
     */
    Optional<List<ClaimedStart>> move(Held held, UUID holder, String position, List<LinkedStart> starts) {
        return database.tryTransaction(dsl -> {
            if (dsl.execute(MOVE, position, held.workspace().name(), holder, held.position()) == 0) {
                return Optional.<List<ClaimedStart>>empty();
            }
            UUID[] triggers = starts.stream()
                    .map(start -> start.start().trigger().value())
                    .distinct()
                    .toArray(UUID[]::new);
            List<UUID> kept = dsl.fetch(KEEP, (Object) triggers).map(row -> row.get("id", UUID.class));
            List<LinkedStart> noted = starts.stream()
                    .filter(start -> kept.contains(start.start().trigger().value()))
                    .toList();
            List<ClaimedStart> claimed = TriggerStartRows.note(
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
            return Optional.of(claimed);
        });
    }
}
