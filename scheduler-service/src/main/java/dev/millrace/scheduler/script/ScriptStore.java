package dev.millrace.scheduler.script;

import static dev.millrace.scheduler.database.tables.Tables.SCRIPT;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_PATH;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_VERSION;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.select;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.input.InputSchema;
import dev.millrace.scheduler.input.InputSchemaRows;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.version.DeploymentNote;
import dev.millrace.scheduler.version.PathRows;
import dev.millrace.scheduler.version.VersionRows;
import dev.millrace.scheduler.version.VersionStore;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jooq.DSLContext;
import org.jooq.Record;

/**
 * Scripts in Postgres. A version is inserted once, and only its path for people ever changes, so deployments may arrive
 * in any order.
 */
public final class ScriptStore {
    private static final FixedQuery FIND_CURRENT =
            new FixedQuery(select(SCRIPT.HASH, SCRIPT.LANGUAGE, SCRIPT.LANGUAGE_NAME, SCRIPT.CREATED_AT)
                    .from(SCRIPT_PATH)
                    .join(SCRIPT)
                    .on(SCRIPT.HASH.eq(SCRIPT_PATH.HASH))
                    .where(PathRows.SCRIPTS.isAsked()));

    private final Database database;
    private final VersionStore<Script> versions;

    public ScriptStore(Database database) {
        this.database = database;
        this.versions = new VersionStore<>(
                database,
                PathRows.SCRIPTS,
                List.of(SCRIPT.HASH, SCRIPT.LANGUAGE, SCRIPT.LANGUAGE_NAME, SCRIPT.CREATED_AT),
                ScriptStore::script);
    }

    /** @param schema of the inputs, from the author or from the text; absent if neither says anything */
    Script deploy(
            Workspace workspace,
            String path,
            String hash,
            ScriptSource source,
            Optional<InputSchema> schema,
            DeploymentNote note) {
        return database.transaction(dsl -> {
            Set<String> used = new HashSet<>(PathRows.SCRIPTS.hold(dsl, workspace, path));
            used.add(hash);
            VersionRows.SCRIPTS.use(dsl, used);
            insert(dsl, workspace, path, hash, source);
            InputSchemaRows.deploy(dsl, workspace, hash, schema);
            PathRows.SCRIPTS.lead(dsl, workspace, path, hash, note);
            EventRows.insert(dsl, workspace, "script.deployed", path, Map.of("hash", hash));
            return versions.fetch(dsl, workspace, path, hash).withFiles(source.files());
        });
    }

    /**
     * Unpublishes a path; its versions stay.
     *
     * @param force deletes the path even if it is in use
     * @return the version to which the path led, without content; empty if there was no such path
     * @throws dev.millrace.scheduler.error.MillraceException with {@code IN_USE} if it is in use and {@code force} is
     *     false
     */
    Optional<Script> delete(Workspace workspace, String path, boolean force) {
        return database.transaction(dsl -> PathRows.SCRIPTS
                .delete(dsl, workspace, path, force)
                .map(hash -> {
                    EventRows.insert(dsl, workspace, "script.deleted", path, Map.of("hash", hash));
                    return versions.fetch(dsl, workspace, path, hash).withoutContent();
                }));
    }

    /**
     * Stores a version without publishing it.
     *
     * @param path only the version's name for people
     * @param declared schema of the inputs that the text declares
     */
    Script store(Workspace workspace, String path, String hash, ScriptSource source, Optional<InputSchema> declared) {
        return versions.store(workspace, path, hash, dsl -> {
                    insert(dsl, workspace, path, hash, source);
                    declared.ifPresent(schema -> InputSchemaRows.keep(dsl, workspace, hash, schema));
                })
                .withFiles(source.files());
    }

    /** A version that was deployed or stored in the workspace. */
    Optional<Script> find(Workspace workspace, String hash) {
        Optional<Script> found = versions.find(
                workspace,
                hash,
                coalesce(
                        nullif(SCRIPT_VERSION.PATH, inline("")),
                        PathRows.SCRIPTS.firstTo(workspace, hash),
                        inline("")));
        return found.map(this::withFiles);
    }

    /** The same, noting that it is used. */
    Optional<Script> use(Workspace workspace, String hash) {
        database.run(dsl -> VersionRows.SCRIPTS.useNow(dsl, hash));
        return find(workspace, hash);
    }

    /** Whether a path leads to the version. */
    boolean isDeployed(Workspace workspace, String hash) {
        return database.run(
                dsl -> dsl.select(PathRows.SCRIPTS.firstTo(workspace, hash).isNotNull())
                        .fetchSingle()
                        .value1());
    }

    Optional<Script> findCurrent(Workspace workspace, String path) {
        return versions.findCurrent(workspace, path).map(this::withFiles);
    }

    private Script withFiles(Script version) {
        return version.withFiles(database.run(dsl -> ScriptFileRows.texts(dsl, version.hash())));
    }

    /** The versions to which those of the paths lead that exist, by path. */
    Map<String, String> findCurrentHashes(Workspace workspace, Collection<String> paths) {
        return paths.isEmpty()
                ? Map.of()
                : database.run(dsl -> dsl.select(SCRIPT_PATH.PATH, SCRIPT_PATH.HASH)
                        .from(SCRIPT_PATH)
                        .where(SCRIPT_PATH.WORKSPACE.eq(workspace.name()))
                        .and(SCRIPT_PATH.PATH.eq(any(paths.toArray(String[]::new))))
                        .fetchMap(SCRIPT_PATH.PATH, SCRIPT_PATH.HASH));
    }

    /** Text of a version's own file. */
    String content(String version) {
        return database.run(dsl -> dsl.select(SCRIPT.CONTENT)
                .from(SCRIPT)
                .where(SCRIPT.HASH.eq(version))
                .fetchSingle(row -> row.get(SCRIPT.CONTENT)));
    }

    /** Hashes of the texts of a version's further files, by path. */
    Map<String, String> fileHashes(String version) {
        return database.run(dsl -> ScriptFileRows.hashes(dsl, version));
    }

    /** Text of a file. */
    String text(String hash) {
        return database.run(dsl -> ScriptFileRows.text(dsl, hash));
    }

    Optional<Script> findCurrentWithoutContent(Workspace workspace, String path) {
        return database.fetch(FIND_CURRENT, workspace.name(), path).stream()
                .findFirst()
                .map(row -> script(row, workspace, path, false));
    }

    List<Script> list(Workspace workspace, Optional<Set<String>> folders, String afterPath, int limit) {
        return versions.list(workspace, folders, afterPath, limit);
    }

    private static void insert(DSLContext dsl, Workspace workspace, String path, String hash, ScriptSource source) {
        dsl.insertInto(SCRIPT, SCRIPT.HASH, SCRIPT.LANGUAGE, SCRIPT.LANGUAGE_NAME, SCRIPT.CONTENT)
                .values(
                        hash,
                        LanguageColumns.number(source.language()),
                        LanguageColumns.name(source.language()),
                        source.content())
                .onConflictDoNothing()
                .execute();
        ScriptFileRows.insert(dsl, hash, source.files());
        dsl.insertInto(SCRIPT_VERSION, SCRIPT_VERSION.WORKSPACE, SCRIPT_VERSION.HASH, SCRIPT_VERSION.PATH)
                .values(workspace.name(), hash, path)
                .onConflict(SCRIPT_VERSION.WORKSPACE, SCRIPT_VERSION.HASH)
                .doUpdate()
                .set(SCRIPT_VERSION.PATH, path)
                .where(SCRIPT_VERSION.PATH.ne(path))
                .execute();
    }

    private static Script script(Record row, Workspace workspace, String path, boolean whole) {
        return new Script(
                row.get(SCRIPT.HASH),
                path,
                workspace,
                LanguageColumns.language(row.get(SCRIPT.LANGUAGE), row.get(SCRIPT.LANGUAGE_NAME)),
                whole ? row.get(SCRIPT.CONTENT) : "",
                new TreeMap<>(),
                row.get(SCRIPT.CREATED_AT).toInstant());
    }

    /** The paths of other deployed flows that name the path, {@code max} at most. */
    List<String> flowsThatName(Workspace workspace, String path, int max) {
        return database.run(dsl -> PathRows.SCRIPTS.flowsThatName(dsl, workspace, path, max));
    }
}
