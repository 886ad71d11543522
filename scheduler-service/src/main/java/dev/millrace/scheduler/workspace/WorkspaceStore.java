package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.workspace.core.KnownWorkspace;
import dev.millrace.scheduler.workspace.core.KnownWorkspaces;
import dev.millrace.scheduler.workspace.core.WorkspaceState;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Workspaces and their names in Postgres. */
final class WorkspaceStore {
    private static final String COLUMNS = """
            w.key, w.name, w.description, w.isolated, w.own_tags, w.state, w.created_by, w.created_at, w.archived_at, w.deleted_at,
            (select array_agg(n.name order by n.name) from workspace_name n where n.key = w.key and n.name <> w.name) as former_names
            """;
    private static final String LIST =
            "select " + COLUMNS + " from workspace w where w.state <> 'deleted' order by w.name";
    private static final String FIND =
            "select " + COLUMNS + " from workspace w where w.key = ? and w.state <> 'deleted'";
    private static final String LOCK = "select key from workspace where key = ? and state <> 'deleted' for update";
    /** Serializes the changes of names. */
    private static final String LOCK_NAMES = "select pg_advisory_xact_lock(hashtext('millrace workspace names'))";

    private static final String COUNT = "select count(*)::int from workspace where state <> 'deleted'";
    private static final String OWNER_OF_NAME = "select key from workspace_name where name = ?";
    private static final String KEYS_WITH_NAME =
            "select count(*)::int from workspace where split_part(key, '.', 1) = ?";
    private static final String INSERT =
            "insert into workspace (key, name, description, isolated, own_tags, created_by) values (?, ?, ?, ?, ?, ?)";
    private static final String INSERT_NAME = "insert into workspace_name (name, key) values (?, ?)";
    private static final String COUNT_NAMES = "select count(*)::int from workspace_name where key = ?";
    private static final String RENAME = "update workspace set name = ? where key = ?";
    private static final String UPDATE = """
            update workspace set description = coalesce(?, description), isolated = coalesce(?::boolean, isolated),
                own_tags = own_tags or coalesce(?::boolean, false),
                moving_until = case when own_tags or not coalesce(?::boolean, false) then moving_until
                    else now() + ? * interval '1 millisecond' end
            where key = ?
            """;
    private static final String GIVE_OWN_TAGS = """
            update workspace set own_tags = true, moving_until = now() + ? * interval '1 millisecond'
            where key = any (?) and not own_tags and state <> 'deleted'
            """;
    private static final String ARCHIVE =
            "update workspace set state = 'archived', archived_at = now() where key = ? and state = 'active'";
    private static final String RESTORE =
            "update workspace set state = 'active', archived_at = null where key = ? and state = 'archived'";
    private static final String BEGIN_DELETION =
            "update workspace set state = 'deleting', deleted_at = now() where key = ? and state = 'archived'";
    private static final String COUNT_RUNS = "select count(*)::int from job_queue where workspace = ? and id = run_id";

    private final Database database;

    WorkspaceStore(Database database) {
        this.database = database;
    }

    KnownWorkspaces list() {
        return new KnownWorkspaces(database.run(dsl -> dsl.fetch(LIST).map(WorkspaceStore::read)));
    }

    Optional<KnownWorkspace> find(Workspace key) {
        return database.run(dsl ->
                dsl.fetch(FIND, key.name()).stream().map(WorkspaceStore::read).findFirst());
    }

    /** Why a workspace could not be created; neither if it was. */
    record Created(boolean isTaken, boolean isOneTooMany) {}

    /** Creates a workspace, unless the name is taken or there are already {@code countMax}. */
    Created create(String name, String description, boolean isIsolated, String by, int countMax) {
        return database.transaction(dsl -> {
            dsl.execute(LOCK_NAMES);
            if (dsl.fetchOne(OWNER_OF_NAME, name) != null) {
                return new Created(true, false);
            }
            if (number(dsl, COUNT) >= countMax) {
                return new Created(false, true);
            }
            int earlier = number(dsl, KEYS_WITH_NAME, name);
            String key = (earlier == 0 ? Workspace.of(name) : Workspace.numbered(name, earlier + 1)).name();
            dsl.execute(INSERT, key, name, description, isIsolated, isIsolated, by);
            dsl.execute(INSERT_NAME, name, key);
            return new Created(false, false);
        });
    }

    /** What a new name came to. */
    enum Renamed {
        DONE,
        NOT_FOUND,
        TAKEN,
        ONE_TOO_MANY
    }

    Renamed rename(Workspace key, String name, int namesMax) {
        return database.transaction(dsl -> {
            dsl.execute(LOCK_NAMES);
            if (dsl.fetchOne(LOCK, key.name()) == null) {
                return Renamed.NOT_FOUND;
            }
            Record owner = dsl.fetchOne(OWNER_OF_NAME, name);
            if (owner == null) {
                if (number(dsl, COUNT_NAMES, key.name()) >= namesMax) {
                    return Renamed.ONE_TOO_MANY;
                }
                dsl.execute(INSERT_NAME, name, key.name());
            } else if (!owner.get(0, String.class).equals(key.name())) {
                return Renamed.TAKEN;
            }
            dsl.execute(RENAME, name, key.name());
            return Renamed.DONE;
        });
    }

    /** Changes what is present. Jobs move for this long if the workspace gets tags of its own. */
    void update(Workspace key, Optional<String> description, Optional<Boolean> isIsolated, Duration moving) {
        Boolean isolated = isIsolated.orElse(null);
        database.run(dsl -> dsl.execute(
                UPDATE, description.orElse(null), isolated, isolated, isolated, moving.toMillis(), key.name()));
    }

    /** Gives workspaces tags of their own. Returns how many had none. */
    int giveOwnTags(Collection<Workspace> keys, Duration moving) {
        String[] names = keys.stream().map(Workspace::name).toArray(String[]::new);
        return database.run(dsl -> dsl.execute(GIVE_OWN_TAGS, moving.toMillis(), names));
    }

    void archive(Workspace key) {
        database.run(dsl -> dsl.execute(ARCHIVE, key.name()));
    }

    void restore(Workspace key) {
        database.run(dsl -> dsl.execute(RESTORE, key.name()));
    }

    /** Begins the deletion, unless runs are in progress and {@code force} is not set. Returns their number then. */
    int beginDeletion(Workspace key, boolean force) {
        return database.transaction(dsl -> {
            int runs = force ? 0 : number(dsl, COUNT_RUNS, key.name());
            if (runs == 0) {
                dsl.execute(BEGIN_DELETION, key.name());
            }
            return runs;
        });
    }

    private static int number(DSLContext dsl, String sql, Object... values) {
        return dsl.fetchSingle(sql, values).get(0, Integer.class);
    }

    private static KnownWorkspace read(Record row) {
        String[] former = row.get("former_names", String[].class);
        return new KnownWorkspace(
                Workspace.of(row.get("key", String.class)),
                row.get("name", String.class),
                former == null ? List.of() : Stream.of(former).toList(),
                row.get("description", String.class),
                row.get("isolated", Boolean.class),
                row.get("own_tags", Boolean.class),
                WorkspaceState.of(row.get("state", String.class)),
                row.get("created_by", String.class),
                row.get("created_at", OffsetDateTime.class).toInstant(),
                time(row, "archived_at"),
                time(row, "deleted_at"));
    }

    private static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
