package dev.millrace.scheduler.script;

import static dev.millrace.scheduler.database.tables.Tables.SCRIPT;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_PATH;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_VERSION;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.nullif;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.version.PathRows;
import dev.millrace.scheduler.version.VersionRows;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;

/**
 * Scripts in Postgres. A version is inserted once, and only its path for people ever changes, so deployments may arrive
 * in any order.
 */
public final class ScriptStore {
    private static final short PYTHON = 1;
    private static final short DENO = 2;

    private static final FixedQuery FIND_CURRENT =
            new FixedQuery(select(SCRIPT.HASH, SCRIPT.LANGUAGE, SCRIPT.CREATED_AT)
                    .from(SCRIPT_PATH)
                    .join(SCRIPT)
                    .on(SCRIPT.HASH.eq(SCRIPT_PATH.HASH))
                    .where(SCRIPT_PATH
                            .WORKSPACE
                            .eq(param("workspace", String.class))
                            .and(SCRIPT_PATH.PATH.eq(param("path", String.class)))));

    private final Database database;

    public ScriptStore(Database database) {
        this.database = database;
    }

    Script deploy(Workspace workspace, String path, String hash, Language language, String content) {
        return database.transaction(dsl -> {
            Set<String> used = new HashSet<>(PathRows.SCRIPTS.hold(dsl, workspace, path));
            used.add(hash);
            VersionRows.SCRIPTS.use(dsl, used);
            insert(dsl, workspace, path, hash, language, content);
            PathRows.SCRIPTS.lead(dsl, workspace, path, hash);
            return fetch(dsl, workspace, path, hash);
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
                .map(hash -> fetch(dsl, workspace, path, hash).withoutContent()));
    }

    /** Stores a version without publishing it. {@code path} is only the version's name for people. */
    Script store(Workspace workspace, String path, String hash, Language language, String content) {
        return database.transaction(dsl -> {
            VersionRows.SCRIPTS.use(dsl, Set.of(hash));
            insert(dsl, workspace, path, hash, language, content);
            return fetch(dsl, workspace, path, hash);
        });
    }

    /** A version that was deployed or stored in the workspace. */
    Optional<Script> find(Workspace workspace, String hash) {
        Field<String> path = coalesce(
                        nullif(SCRIPT_VERSION.PATH, inline("")), PathRows.SCRIPTS.firstTo(workspace, hash), inline(""))
                .as("path");
        return database.run(dsl -> dsl.select(SCRIPT.fields())
                .select(path)
                .from(SCRIPT)
                .join(SCRIPT_VERSION)
                .on(SCRIPT_VERSION.HASH.eq(SCRIPT.HASH))
                .where(SCRIPT.HASH.eq(hash).and(SCRIPT_VERSION.WORKSPACE.eq(workspace.name())))
                .fetchOptional(row -> script(row, workspace, row.get(path), row.get(SCRIPT.CONTENT))));
    }

    /** The same, noting that it is used. */
    Optional<Script> use(Workspace workspace, String hash) {
        database.run(dsl -> VersionRows.SCRIPTS.useNow(dsl, hash));
        return find(workspace, hash);
    }

    Optional<Script> findCurrent(Workspace workspace, String path) {
        return database.run(dsl -> dsl.select(SCRIPT.fields())
                .from(SCRIPT_PATH)
                .join(SCRIPT)
                .on(SCRIPT.HASH.eq(SCRIPT_PATH.HASH))
                .where(SCRIPT_PATH.WORKSPACE.eq(workspace.name()).and(SCRIPT_PATH.PATH.eq(path)))
                .fetchOptional(row -> script(row, workspace, path, row.get(SCRIPT.CONTENT))));
    }

    Optional<Script> findCurrentWithoutContent(Workspace workspace, String path) {
        return database.fetch(FIND_CURRENT, workspace.name(), path).stream()
                .findFirst()
                .map(row -> script(row, workspace, path, ""));
    }

    List<Script> list(Workspace workspace, String afterPath, int limit) {
        return database.run(dsl -> dsl.select(SCRIPT_PATH.PATH, SCRIPT.HASH, SCRIPT.LANGUAGE, SCRIPT.CREATED_AT)
                .from(SCRIPT_PATH)
                .join(SCRIPT)
                .on(SCRIPT.HASH.eq(SCRIPT_PATH.HASH))
                .where(SCRIPT_PATH.WORKSPACE.eq(workspace.name()).and(SCRIPT_PATH.PATH.gt(afterPath)))
                .orderBy(SCRIPT_PATH.PATH)
                .limit(limit)
                .fetch(row -> script(row, workspace, row.get(SCRIPT_PATH.PATH), "")));
    }

    private static void insert(
            DSLContext dsl, Workspace workspace, String path, String hash, Language language, String content) {
        dsl.insertInto(SCRIPT, SCRIPT.HASH, SCRIPT.LANGUAGE, SCRIPT.CONTENT)
                .values(hash, number(language), content)
                .onConflictDoNothing()
                .execute();
        dsl.insertInto(SCRIPT_VERSION, SCRIPT_VERSION.WORKSPACE, SCRIPT_VERSION.HASH, SCRIPT_VERSION.PATH)
                .values(workspace.name(), hash, path)
                .onConflict(SCRIPT_VERSION.WORKSPACE, SCRIPT_VERSION.HASH)
                .doUpdate()
                .set(SCRIPT_VERSION.PATH, path)
                .where(SCRIPT_VERSION.PATH.ne(path))
                .execute();
    }

    private static Script fetch(DSLContext dsl, Workspace workspace, String path, String hash) {
        return dsl.select(SCRIPT.fields())
                .from(SCRIPT)
                .where(SCRIPT.HASH.eq(hash))
                .fetchSingle(row -> script(row, workspace, path, row.get(SCRIPT.CONTENT)));
    }

    private static Script script(Record row, Workspace workspace, String path, String content) {
        return new Script(
                row.get(SCRIPT.HASH),
                path,
                workspace,
                language(row.get(SCRIPT.LANGUAGE)),
                content,
                row.get(SCRIPT.CREATED_AT).toInstant());
    }

    private static short number(Language language) {
        return switch (language) {
            case PYTHON -> PYTHON;
            case DENO -> DENO;
        };
    }

    private static Language language(short number) {
        return switch (number) {
            case PYTHON -> Language.PYTHON;
            case DENO -> Language.DENO;
            default -> throw new IllegalStateException("script.language: " + number + " (expected: 1 or 2)");
        };
    }
}
