package dev.millrace.scheduler.trigger;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.flow.DeclaredChange;
import dev.millrace.scheduler.flow.FlowTriggerRows;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.submission.RunTemplate;
import dev.millrace.scheduler.version.ReferenceUseRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Triggers of one kind in Postgres. Each change locks the trigger's row, so its versions follow one another. The lock does
 * not keep others from noting what the trigger starts.
 */
final class TriggerStore {
    /** Maximum number of versions that are kept of a trigger. */
    static final int VERSIONS_MAX = 100;

    private static final String SELECT = "select " + TriggerRows.COLUMNS + " from trigger t ";
    private static final String FIND = SELECT + "where t.workspace = ? and t.kind = ? and t.path = ?";
    private static final String FIND_ALL = SELECT + "where t.id = any (?::uuid[])";
    private static final String OF_FLOW =
            SELECT + "where t.workspace = ? and t.kind = ? and t.flow_path = ? order by t.path for no key update";
    private static final String HAS_OF_FLOW =
            "select 1 from trigger where workspace = ? and kind = ? and flow_path = ? limit 1";
    private static final String LIST = SELECT + """
            where t.workspace = ? and t.kind = ? and t.path > ?
                and (?::text[] is null or split_part(t.path, '/', 1) = any (?::text[]) and t.path like '%/%')
            order by t.path limit ?
            """;
    private static final String COUNT_ACTIVE = """
            select count(*) as in_all, count(*) filter (where workspace = ?) as in_workspace
            from trigger where kind = ? and paused_at is null and id <> all (?::uuid[])
            """;
    private static final String COUNT = "select count(*) from trigger where workspace = ? and kind = ?";
    private static final String INSERT = """
            insert into trigger (id, workspace, kind, path, version, template, settings, description, flow_path, actor, credential_id)
            values (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
            on conflict (workspace, kind, path) do nothing
            """;
    private static final String UPDATE = """
            update trigger set version = version + 1, template = ?, settings = ?, description = ?, actor = ?, credential_id = ?, changed_at = now()
            where id = ?
            """;
    private static final String PAUSE = """
            update trigger set version = version + 1, paused_at = case when ? then now() end, actor = ?, credential_id = ?, changed_at = now()
            where id = ?
            """;
    private static final String ADD_VERSION = """
            insert into trigger_version (trigger_id, version, change, template, settings, actor)
            select id, version, ?, template, settings, actor from trigger where id = ?
            """;
    private static final String DROP_VERSIONS = "delete from trigger_version where trigger_id = ? and version <= ?";
    private static final String DELETE = "delete from trigger where id = ?";
    private static final String FORGET_USES = "delete from trigger_use where trigger_id = ?";
    private static final String NOTE_USE =
            "insert into trigger_use (trigger_id, workspace, kind, path) values (?, ?, ?, ?)";
    private static final String VERSIONS = """
            select version, change, actor, changed_at from trigger_version where trigger_id = ? order by version desc
            """;

    private static final String VERSION =
            "select template, settings, actor, changed_at from trigger_version where trigger_id = ? and version = ?";

    private final Database database;
    private final TriggerKind kind;
    private final TriggerKindRows rows;

    TriggerStore(Database database, TriggerKind kind, TriggerKindRows rows) {
        this.database = database;
        this.kind = kind;
        this.rows = rows;
    }

    /** Who writes a trigger, and with which token it acts. */
    record Writer(String actor, Optional<UUID> credential) {}

    /**
     * Creates or changes a trigger. Does nothing if what the author says is the same.
     *
     * @param flow path of the flow whose file declares it
     * @return empty if the workspace has {@code max} others of the kind
     * @throws dev.millrace.scheduler.error.MillraceException with {@code IN_USE} if somebody else keeps the trigger
     */
    Optional<Trigger> put(
            TriggerId id, TriggerKey key, TriggerSpec spec, Optional<String> flow, Writer writer, int max) {
        return database.transaction(dsl -> put(dsl, id, key, spec, flow, writer, max));
    }

    private Optional<Trigger> put(
            DSLContext dsl,
            TriggerId id,
            TriggerKey key,
            TriggerSpec spec,
            Optional<String> flow,
            Writer writer,
            int max) {
        Optional<Trigger> before = find(dsl, key, true);
        if (before.isEmpty()) {
            if (dsl.fetchSingle(COUNT, key.workspace().name(), kind.text()).into(long.class) >= max) {
                return Optional.empty();
            }
            int inserted = dsl.execute(
                    INSERT,
                    id.value(),
                    key.workspace().name(),
                    kind.text(),
                    key.path(),
                    spec.run().bytes().toByteArray(),
                    spec.settings().toByteArray(),
                    spec.description(),
                    flow.orElse(null),
                    writer.actor(),
                    writer.credential().orElse(null));
            return inserted == 0
                    ? put(dsl, id, key, spec, flow, writer, max)
                    : Optional.of(changed(dsl, id, "create", key));
        }
        Trigger old = before.get();
        Triggers.requireKeeper(old, flow);
        if (old.spec().equals(spec) && old.actor().equals(writer.actor())) {
            return before;
        }
        dsl.execute(
                UPDATE,
                spec.run().bytes().toByteArray(),
                spec.settings().toByteArray(),
                spec.description(),
                writer.actor(),
                writer.credential().orElse(null),
                old.id().value());
        return Optional.of(changed(dsl, old.id(), "update", key));
    }

    /** Pauses or resumes a trigger; empty if there is none. */
    Optional<Trigger> pause(TriggerKey key, boolean paused, Writer writer) {
        return database.transaction(dsl -> find(dsl, key, true).map(old -> {
            if (old.isPaused() == paused) {
                return old;
            }
            dsl.execute(
                    PAUSE,
                    paused,
                    writer.actor(),
                    writer.credential().orElse(null),
                    old.id().value());
            return changed(dsl, old.id(), paused ? "pause" : "resume", key);
        }));
    }

    private Trigger changed(DSLContext dsl, TriggerId id, String change, TriggerKey key) {
        dsl.execute(ADD_VERSION, change, id.value());
        Trigger now = find(dsl, key, false).orElseThrow();
        dsl.execute(DROP_VERSIONS, id.value(), now.version() - VERSIONS_MAX);
        rows.changed(dsl, now);
        noteUses(dsl, now);
        return now;
    }

    private static void noteUses(DSLContext dsl, Trigger trigger) {
        dsl.execute(FORGET_USES, trigger.id().value());
        TriggerReferenceProtos.of(trigger.key().kind(), trigger.spec().settings())
                .forEach(use -> dsl.execute(
                        NOTE_USE,
                        trigger.id().value(),
                        trigger.key().workspace().name(),
                        ReferenceUseRows.code(use.kind()),
                        use.path()));
    }

    /** Deletes a trigger with its history. Returns it as it was. */
    Optional<Trigger> delete(TriggerKey key) {
        return database.transaction(dsl -> {
            Optional<Trigger> found = find(dsl, key, true);
            found.ifPresent(trigger -> {
                Triggers.requireKeeper(trigger, Optional.empty());
                dsl.execute(DELETE, trigger.id().value());
            });
            return found;
        });
    }

    boolean hasOfFlow(Workspace workspace, String flow) {
        return !database.run(dsl -> dsl.fetch(HAS_OF_FLOW, workspace.name(), kind.text(), flow))
                .isEmpty();
    }

    /** Makes the triggers of a flow's file what the file says, in the transaction that deploys the flow. */
    FlowTriggerRows ofFlow(
            Workspace workspace, String flow, Map<TriggerKey, TriggerSpec> wanted, Writer writer, List<TriggerId> ids) {
        return dsl -> {
            Map<TriggerKey, Trigger> before = new HashMap<>();
            List<DeclaredChange> changes = new ArrayList<>();
            for (Trigger old : TriggerRows.read(dsl.fetch(OF_FLOW, workspace.name(), kind.text(), flow))) {
                before.put(old.key(), old);
                if (!wanted.containsKey(old.key())) {
                    dsl.execute(DELETE, old.id().value());
                    changes.add(change(old.key(), DeclaredChange.Change.DELETED));
                }
            }
            Iterator<TriggerId> next = ids.iterator();
            wanted.forEach((key, spec) -> {
                Trigger now = put(dsl, next.next(), key, spec, Optional.of(flow), writer, Triggers.TRIGGERS_MAX)
                        .orElseThrow(() -> Triggers.tooMany(workspace, kind));
                Trigger old = before.get(key);
                if (old == null) {
                    changes.add(change(key, DeclaredChange.Change.CREATED));
                } else if (now.version() != old.version()) {
                    changes.add(change(key, DeclaredChange.Change.UPDATED));
                }
            });
            return changes;
        };
    }

    private DeclaredChange change(TriggerKey key, DeclaredChange.Change change) {
        return new DeclaredChange(kind.text(), key.path(), change);
    }

    Optional<Trigger> find(TriggerKey key) {
        return database.run(dsl -> find(dsl, key, false));
    }

    private Optional<Trigger> find(DSLContext dsl, TriggerKey key, boolean forUpdate) {
        return dsl
                .fetch(
                        FIND + (forUpdate ? " for no key update" : ""),
                        key.workspace().name(),
                        kind.text(),
                        key.path())
                .stream()
                .map(TriggerRows::read)
                .findFirst();
    }

    /** The triggers with these ids, of any kind. */
    static Map<TriggerId, Trigger> findAll(Database database, Collection<TriggerId> ids) {
        UUID[] values = ids.stream().map(TriggerId::value).distinct().toArray(UUID[]::new);
        Map<TriggerId, Trigger> found = new HashMap<>();
        database.run(dsl -> TriggerRows.read(dsl.fetch(FIND_ALL, (Object) values)))
                .forEach(trigger -> found.put(trigger.id(), trigger));
        return found;
    }

    /** Triggers in the order of their paths. */
    List<Trigger> list(Workspace workspace, Optional<Set<String>> folders, String after, int limit) {
        String @Nullable [] some =
                folders.map(visible -> visible.toArray(String[]::new)).orElse(null);
        return database.run(
                dsl -> TriggerRows.read(dsl.fetch(LIST, workspace.name(), kind.text(), after, some, some, limit)));
    }

    /** Triggers of all workspaces that are not paused, the oldest first. */
    List<Trigger> active(int limit) {
        // The kind is literal, so that the plan can use the index on active triggers of this kind.
        return database.run(dsl -> TriggerRows.read(dsl.fetch(
                SELECT + "where t.kind = '" + kind.text() + "' and t.paused_at is null order by t.id limit ?", limit)));
    }

    /** Numbers of triggers that are not paused: of all workspaces, and of one of them. */
    record Active(int inAll, int inWorkspace) {}

    /** How many triggers are active besides this one. */
    Active activeBeside(Optional<TriggerId> one, Workspace workspace) {
        UUID[] without = one.stream().map(TriggerId::value).toArray(UUID[]::new);
        Record counts =
                database.run(dsl -> dsl.fetchSingle(COUNT_ACTIVE, workspace.name(), kind.text(), (Object) without));
        return new Active(counts.get("in_all", Integer.class), counts.get("in_workspace", Integer.class));
    }

    /** A trigger as it was in a version that is kept; empty if that is not. Its description is the current one. */
    Optional<Trigger> version(Trigger now, long version) {
        return database
                .run(dsl -> dsl.fetch(VERSION, now.id().value(), version)
                        .map(row -> now.asIn(
                                version,
                                new RunTemplate(ByteString.copyFrom(row.get("template", byte[].class))),
                                ByteString.copyFrom(row.get("settings", byte[].class)),
                                row.get("actor", String.class),
                                TriggerRows.time(row, "changed_at").orElseThrow())))
                .stream()
                .findFirst();
    }

    /** The newest versions of a trigger, newest first. */
    List<TriggerVersion> versions(TriggerId id) {
        return database.run(dsl -> dsl.fetch(VERSIONS, id.value())
                .map(row -> new TriggerVersion(
                        row.get("version", Long.class),
                        row.get("change", String.class),
                        row.get("actor", String.class),
                        TriggerRows.time(row, "changed_at").orElseThrow())));
    }
}
