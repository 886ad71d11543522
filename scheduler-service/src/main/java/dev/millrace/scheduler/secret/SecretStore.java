package dev.millrace.scheduler.secret;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.secret.core.Ciphertext;
import dev.millrace.scheduler.secret.core.SecretValue;
import dev.millrace.scheduler.secret.core.StoreKind;
import dev.millrace.scheduler.secret.core.ValuePlace;
import dev.millrace.scheduler.secret.key.Keyset;
import dev.millrace.scheduler.secret.key.WorkspaceKeyStore;
import dev.millrace.scheduler.secret.key.WrappedKeys;
import dev.millrace.scheduler.version.ReferenceUseRows;
import dev.millrace.scheduler.version.ReferenceUsers;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Result;
import org.jspecify.annotations.Nullable;

/**
 * Secrets in Postgres. A value is written only while the keys that encrypted it are those of the workspace, so that no
 * rotation removes a key that a value needs.
 */
final class SecretStore {
    /** Maximum number of secrets of a workspace. */
    static final int SECRETS_MAX = 10_000;
    /** Number of versions of which it is kept who made them. */
    private static final int VERSIONS_KEPT = 20;

    /** Serializes those who set the same secret, whether it exists or not. */
    private static final String LOCK =
            "select pg_advisory_xact_lock(hashtextextended('millrace secret ' || ? || '/' || ?, 0))";

    private static final String FIND_VERSION = "select version from secret where workspace = ? and path = ?";
    private static final String FIND_DELETED = "select version from deleted_secret where workspace = ? and path = ?";
    private static final String NOTE_DELETION = """
            insert into deleted_secret (workspace, path, version) values (?, ?, ?)
            on conflict (workspace, path) do update set version = excluded.version, deleted_at = now()
            """;
    private static final String COUNT = "select count(*) from secret where workspace = ?";
    private static final String PUT = """
            insert into secret (workspace, path, store, description, version, sealed, data_key) values (?, ?, ?, ?, ?, ?, ?)
            on conflict (workspace, path) do update
            set store = excluded.store, description = excluded.description, version = excluded.version,
                sealed = excluded.sealed, data_key = excluded.data_key
            """;
    private static final String NOTE_VERSION =
            "insert into secret_version (workspace, path, version, created_by) values (?, ?, ?, ?)";
    private static final String FORGET_VERSIONS =
            "delete from secret_version where workspace = ? and path = ? and version <= ?";
    private static final String SELECT = "select path, store, description, version from secret where workspace = ?";
    private static final String FIND = SELECT + " and path = ?";
    private static final String LIST = SELECT
            + " and path > ? and (?::text[] is null or split_part(path, '/', 1) = any (?::text[]) and path like '%/%')"
            + " order by path limit ?";
    private static final String VERSIONS = """
            select path, version, created_by, created_at from secret_version where workspace = ? and path = any (?::text[])
            order by path, version desc
            """;
    private static final String DELETE = "delete from secret where workspace = ? and path = ?";
    private static final String SEALED = """
            select s.path, s.store, s.version as value_version, s.sealed,
                k.workspace, k.id, k.keyset, k.kek_id, k.version, k.data_key, k.keys
            from secret s left join workspace_key k on k.workspace = s.workspace
            where s.workspace = ? and s.path = any (?::text[])
            """;
    private static final String OLD = """
            select path, version, sealed from secret
            where workspace = ? and sealed is not null and data_key <> ? limit ? for update skip locked
            """;
    private static final String RESEAL = "update secret set sealed = ?, data_key = ? where workspace = ? and path = ?";

    private final Database database;

    SecretStore(Database database) {
        this.database = database;
    }

    /** The result of an attempt to set a secret. */
    sealed interface Setting {
        record Done(Secret secret) implements Setting {}

        /** The secret exists, and must not. */
        record Exists() implements Setting {}

        /** The workspace has {@link #SECRETS_MAX} secrets. */
        record Full() implements Setting {}

        /** The keys of the workspace were changed meanwhile. */
        record KeysChanged() implements Setting {}
    }

    /**
     * The stored value of a secret.
     *
     * @param sealed empty for other stores than the local one
     */
    record Stored(String path, StoreKind store, long version, Optional<Sealed> sealed) {}

    /** An encrypted value, and the keys of its workspace. */
    record Sealed(Ciphertext value, WrappedKeys keys) {}

    /** Sets a secret whose value lies elsewhere. */
    Setting set(NewSecret secret, String by) {
        return database.transaction(dsl -> write(dsl, secret, by, (_, _) -> {}));
    }

    /**
     * Sets a secret with its value.
     *
     * @param wrapped the keys as stored, from which {@code keys} were unwrapped
     */
    Setting set(NewSecret secret, SecretValue value, WrappedKeys wrapped, Keyset keys, String by) {
        return database.transaction(dsl -> WorkspaceKeyStore.holdCurrent(dsl, secret.workspace(), wrapped.version())
                ? write(dsl, secret, by, (version, sealing) -> {
                    sealing.sealed = keys.seal(value, new ValuePlace(keys.id(), secret.path(), version))
                            .bytes();
                    sealing.dataKey = keys.dataKey();
                })
                : new Setting.KeysChanged());
    }

    private interface Sealer {
        void seal(long version, Sealing sealing);
    }

    private static final class Sealing {
        private byte @Nullable [] sealed;
        private @Nullable Long dataKey;
    }

    private static Setting write(DSLContext dsl, NewSecret secret, String by, Sealer sealer) {
        String owner = secret.workspace().name();
        dsl.fetch(LOCK, owner, secret.path());
        Optional<Long> before = number(dsl, FIND_VERSION, secret);
        if (before.isPresent() && secret.isCreated()) {
            return new Setting.Exists();
        }
        if (before.isEmpty() && dsl.fetchSingle(COUNT, owner).into(long.class) >= SECRETS_MAX) {
            return new Setting.Full();
        }
        long version = before.or(() -> number(dsl, FIND_DELETED, secret)).orElse(0L) + 1;
        Sealing sealing = new Sealing();
        sealer.seal(version, sealing);
        dsl.execute(
                PUT,
                owner,
                secret.path(),
                secret.store().text(),
                secret.description(),
                version,
                sealing.sealed,
                sealing.dataKey);
        dsl.execute(NOTE_VERSION, owner, secret.path(), version, by);
        dsl.execute(FORGET_VERSIONS, owner, secret.path(), version - VERSIONS_KEPT);
        return new Setting.Done(complete(dsl, secret.workspace(), dsl.fetch(FIND, owner, secret.path()))
                .getFirst());
    }

    private static Optional<Long> number(DSLContext dsl, String query, NewSecret secret) {
        return dsl.fetch(query, secret.workspace().name(), secret.path()).into(Long.class).stream()
                .findFirst();
    }

    Optional<Secret> find(Workspace workspace, String path) {
        return database.run(dsl -> complete(dsl, workspace, dsl.fetch(FIND, workspace.name(), path))).stream()
                .findFirst();
    }

    /** Secrets in the order of their paths. */
    List<Secret> list(Workspace workspace, Optional<Set<String>> folders, String after, int limit) {
        String @Nullable [] some =
                folders.map(set -> set.toArray(String[]::new)).orElse(null);
        return database.run(
                dsl -> complete(dsl, workspace, dsl.fetch(LIST, workspace.name(), after, some, some, limit)));
    }

    /**
     * Deletes a secret.
     *
     * @param force deletes it even if it is used
     * @return the secret, which is still there if it is used and {@code force} is false; empty if there is none
     */
    Optional<Secret> delete(Workspace workspace, String path, boolean force) {
        return database.transaction(dsl -> {
            dsl.fetch(LOCK, workspace.name(), path);
            Optional<Secret> found = complete(dsl, workspace, dsl.fetch(FIND, workspace.name(), path)).stream()
                    .findFirst();
            if (found.isPresent() && (force || found.get().users().isEmpty())) {
                dsl.execute(NOTE_DELETION, workspace.name(), path, found.get().version());
                dsl.execute(DELETE, workspace.name(), path);
            }
            return found;
        });
    }

    private static List<Secret> complete(DSLContext dsl, Workspace workspace, Result<Record> rows) {
        List<String> paths = rows.map(row -> row.get("path", String.class));
        Map<String, Result<Record>> versions = dsl.fetch(VERSIONS, workspace.name(), paths.toArray(String[]::new))
                .intoGroups(row -> row.get("path", String.class));
        Map<String, ReferenceUsers> users = ReferenceUseRows.users(dsl, workspace, ReferenceKind.SECRET, paths);
        return rows.map(row -> {
            String path = row.get("path", String.class);
            return new Secret(
                    path,
                    StoreKind.of(row.get("store", String.class)),
                    row.get("description", String.class),
                    row.get("version", Long.class),
                    Optional.ofNullable(versions.get(path)).stream()
                            .flatMap(Result::stream)
                            .map(SecretStore::version)
                            .toList(),
                    users.getOrDefault(path, ReferenceUsers.NONE));
        });
    }

    private static Secret.Version version(Record row) {
        return new Secret.Version(
                row.get("version", Long.class),
                row.get("created_by", String.class),
                row.get("created_at", OffsetDateTime.class).toInstant());
    }

    /** The stored values of these paths; without paths that are no secrets. */
    List<Stored> sealed(Workspace workspace, Collection<String> paths) {
        return database.run(dsl -> dsl.fetch(SEALED, workspace.name(), paths.toArray(String[]::new)))
                .map(row -> new Stored(
                        row.get("path", String.class),
                        StoreKind.of(row.get("store", String.class)),
                        row.get("value_version", Long.class),
                        Optional.ofNullable(row.get("sealed", byte[].class))
                                .map(bytes -> new Sealed(new Ciphertext(bytes), WorkspaceKeyStore.read(row)))));
    }

    /**
     * Encrypts values again that other keys than the newest encrypted.
     *
     * @return how many values; 0 if there are none or the keys were changed meanwhile
     */
    int reseal(WrappedKeys wrapped, Keyset keys, int limit) {
        Workspace workspace = wrapped.workspace();
        return database.transaction(dsl -> {
            if (!WorkspaceKeyStore.holdCurrent(dsl, workspace, wrapped.version())) {
                return 0;
            }
            Result<Record> old = dsl.fetch(OLD, workspace.name(), keys.dataKey(), limit);
            for (Record row : old) {
                String path = row.get("path", String.class);
                ValuePlace place = new ValuePlace(keys.id(), path, row.get("version", Long.class));
                SecretValue value = keys.open(new Ciphertext(row.get("sealed", byte[].class)), place);
                dsl.execute(RESEAL, keys.seal(value, place).bytes(), keys.dataKey(), workspace.name(), path);
            }
            return old.size();
        });
    }
}
