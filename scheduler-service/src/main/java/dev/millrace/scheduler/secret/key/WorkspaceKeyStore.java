package dev.millrace.scheduler.secret.key;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.core.Ciphertext;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/** The wrapped keys of workspaces in Postgres, and the ids of the keys that wrap them. */
public final class WorkspaceKeyStore {
    private static final String COLUMNS = "workspace, id, keyset, kek_id, version, data_key, keys";
    private static final String INSERT = """
            insert into workspace_key (workspace, id, keyset, kek_id, version, data_key, keys) values (?, ?, ?, ?, ?, ?, ?)
            on conflict (workspace) do nothing
            """;
    private static final String FIND = "select " + COLUMNS + " from workspace_key where workspace = ?";
    private static final String LIST =
            "select " + COLUMNS + " from workspace_key where workspace > ? order by workspace limit ?";
    private static final String REPLACE = """
            update workspace_key set keyset = ?, kek_id = ?, version = ?, data_key = ?, keys = ?
            where workspace = ? and version = ?
            """;
    private static final String IS_CURRENT =
            "select 1 from workspace_key where workspace = ? and version = ? for share";
    private static final String LOCK = "select 1 from workspace_key where workspace = ? and version = ? for update";
    private static final String HAS_OLD = """
            select exists (select 1 from secret where workspace = ? and sealed is not null and data_key <> ?)
            """;
    private static final String COUNT_WAITING = """
            select count(*) from secret s join workspace_key k using (workspace)
            where s.sealed is not null and s.data_key <> k.data_key
            """;
    private static final String ROTATING = "select " + COLUMNS + """
             from workspace_key k
            where k.keys > 1 or exists (
                select 1 from secret s where s.workspace = k.workspace and s.sealed is not null and s.data_key <> k.data_key)
            order by k.workspace
            """;
    private static final String REGISTER = """
            insert into key_encryption_key (id, proof) values (?, ?) on conflict (id) do nothing
            """;
    private static final String USES = """
            select e.id, e.proof, e.created_at, count(k.workspace) as workspaces, min(k.workspace) as workspace
            from key_encryption_key e left join workspace_key k on k.kek_id = e.id
            group by e.id order by e.id
            """;
    /** Serializes those who make the first key. */
    private static final String LOCK_FIRST = "select pg_advisory_xact_lock(hashtextextended('millrace first key', 0))";

    private final Database database;

    public WorkspaceKeyStore(Database database) {
        this.database = database;
    }

    /** A key-encryption key that the installation has used, and how many workspaces it wraps. */
    record Use(String id, Ciphertext proof, Instant since, long workspaces, String example) {}

    Optional<WrappedKeys> find(Workspace workspace) {
        return database.run(dsl -> dsl.fetch(FIND, workspace.name()).stream()
                .map(WorkspaceKeyStore::read)
                .findFirst());
    }

    /** Stores the first keys of a workspace, unless somebody else did. */
    void insert(WrappedKeys keys) {
        database.run(dsl -> dsl.execute(
                INSERT,
                keys.workspace().name(),
                keys.id(),
                keys.keyset().bytes(),
                keys.wrappedBy(),
                keys.version(),
                keys.dataKey(),
                keys.count()));
    }

    /** Replaces keys that nobody has changed meanwhile. Returns whether it did. */
    boolean replace(WrappedKeys changed) {
        return database.run(dsl -> replace(dsl, changed));
    }

    /** Replaces keys by fewer, unless a value needs one that would be lost. Returns whether it did. */
    boolean replaceByFewer(WrappedKeys changed) {
        return database.transaction(dsl -> !dsl.fetch(LOCK, changed.workspace().name(), changed.version() - 1)
                        .isEmpty()
                && !dsl.fetchSingle(HAS_OLD, changed.workspace().name(), changed.dataKey())
                        .into(boolean.class)
                && replace(dsl, changed));
    }

    private static boolean replace(DSLContext dsl, WrappedKeys changed) {
        return dsl.execute(
                        REPLACE,
                        changed.keyset().bytes(),
                        changed.wrappedBy(),
                        changed.version(),
                        changed.dataKey(),
                        changed.count(),
                        changed.workspace().name(),
                        changed.version() - 1)
                == 1;
    }

    /** Whether these are the keys of the workspace until the transaction ends. */
    public static boolean holdCurrent(DSLContext dsl, Workspace workspace, long version) {
        return !dsl.fetch(IS_CURRENT, workspace.name(), version).isEmpty();
    }

    /** Keys in the order of their workspaces. */
    List<WrappedKeys> list(String after, int limit) {
        return database.run(dsl -> dsl.fetch(LIST, after, limit).map(WorkspaceKeyStore::read));
    }

    /** Keys whose values are to be encrypted again, or that hold keys that are no more needed. */
    List<WrappedKeys> rotating() {
        return database.run(dsl -> dsl.fetch(ROTATING).map(WorkspaceKeyStore::read));
    }

    long countWaiting() {
        return database.run(dsl -> dsl.fetchSingle(COUNT_WAITING).into(long.class));
    }

    List<Use> uses() {
        return database.run(WorkspaceKeyStore::uses);
    }

    private static List<Use> uses(DSLContext dsl) {
        return dsl.fetch(USES)
                .map(row -> new Use(
                        row.get("id", String.class),
                        new Ciphertext(row.get("proof", byte[].class)),
                        row.get("created_at", OffsetDateTime.class).toInstant(),
                        row.get("workspaces", Long.class),
                        Optional.ofNullable(row.get("workspace", String.class)).orElse("")));
    }

    /** Notes that the installation uses a key. */
    void register(WrappingKey key) {
        database.run(dsl -> dsl.execute(REGISTER, key.id(), key.proof().bytes()));
    }

    /** Lets one server at a time make the first key. */
    void makeFirst(FirstKey maker) {
        database.transaction(dsl -> {
            dsl.fetch(LOCK_FIRST);
            maker.make(uses(dsl))
                    .ifPresent(
                            key -> dsl.execute(REGISTER, key.id(), key.proof().bytes()));
            return true;
        });
    }

    /** Makes the first key, if there is none. */
    @FunctionalInterface
    interface FirstKey {
        Optional<WrappingKey> make(List<Use> known);
    }

    /** Reads the columns of a row. */
    public static WrappedKeys read(Record row) {
        return new WrappedKeys(
                Workspace.of(row.get("workspace", String.class)),
                row.get("id", UUID.class),
                new Ciphertext(row.get("keyset", byte[].class)),
                row.get("kek_id", String.class),
                row.get("version", Long.class),
                row.get("data_key", Long.class),
                row.get("keys", Integer.class));
    }
}
