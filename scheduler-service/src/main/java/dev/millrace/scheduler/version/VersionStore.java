package dev.millrace.scheduler.version;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FolderCondition;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectField;

/**
 * Versions of flows, or of scripts, as their feature sees them: stored without a path that leads to them, and found by
 * hash and by path.
 *
 * @param <V> a version
 */
public final class VersionStore<V> {
    private final Database database;
    private final PathRows paths;
    private final VersionRows versions;
    private final List<SelectField<?>> listed;
    private final Reader<V> reader;

    /**
     * Creates the store.
     *
     * @param listed columns that {@link #list} reads besides the path; none of them holds the text of a version
     */
    public VersionStore(Database database, PathRows paths, List<SelectField<?>> listed, Reader<V> reader) {
        this.database = database;
        this.paths = paths;
        this.versions = paths.versions;
        this.listed = List.copyOf(listed);
        this.reader = reader;
    }

    /** Makes a version of a row. */
    @FunctionalInterface
    public interface Reader<V> {
        /**
         * Reads a row.
         *
         * @param whole whether the row has the text of the version
         */
        V read(Record row, Workspace workspace, String path, boolean whole);
    }

    /**
     * Stores a version without leading its path to it.
     *
     * @param insert inserts the version unless it is there, within the given transaction
     */
    public V store(Workspace workspace, String path, String hash, Consumer<DSLContext> insert) {
        return database.transaction(dsl -> {
            versions.use(dsl, Set.of(hash));
            insert.accept(dsl);
            return fetch(dsl, workspace, path, hash);
        });
    }

    /**
     * Finds a version that was deployed or stored in the workspace.
     *
     * @param path the version's path for people
     */
    public Optional<V> find(Workspace workspace, String hash, Field<String> path) {
        Field<String> named = path.as("path");
        VersionRows.Owners owners = versions.owners;
        return database.run(dsl -> dsl.select(versions.table.fields())
                .select(named)
                .from(versions.table)
                .join(owners.table())
                .on(owners.hashes().eq(versions.hash))
                .where(versions.hash.eq(hash).and(owners.workspaces().eq(workspace.name())))
                .fetchOptional(row -> reader.read(row, workspace, row.get(named), true)));
    }

    /** Finds the version to which the path leads. */
    public Optional<V> findCurrent(Workspace workspace, String path) {
        return database.run(dsl -> dsl.select(versions.table.fields())
                .from(paths.table)
                .join(versions.table)
                .on(versions.hash.eq(paths.hashes))
                .where(paths.workspaces.eq(workspace.name()).and(paths.paths.eq(path)))
                .fetchOptional(row -> reader.read(row, workspace, path, true)));
    }

    /**
     * Lists the versions to which paths lead, without their texts, in the order of the paths.
     *
     * @param folders folders to look into; absent for all
     */
    public List<V> list(Workspace workspace, Optional<Set<String>> folders, String afterPath, int limit) {
        return database.run(dsl -> dsl.select(paths.paths)
                .select(listed)
                .from(paths.table)
                .join(versions.table)
                .on(versions.hash.eq(paths.hashes))
                .where(paths.workspaces.eq(workspace.name()).and(paths.paths.gt(afterPath)))
                .and(FolderCondition.of(paths.paths, folders))
                .orderBy(paths.paths)
                .limit(limit)
                .fetch(row -> reader.read(row, workspace, row.get(paths.paths), false)));
    }

    /** Reads a version that exists, within the caller's transaction. */
    public V fetch(DSLContext dsl, Workspace workspace, String path, String hash) {
        return dsl.select(versions.table.fields())
                .from(versions.table)
                .where(versions.hash.eq(hash))
                .fetchSingle(row -> reader.read(row, workspace, path, true));
    }
}
