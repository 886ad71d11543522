package dev.millrace.scheduler.flow;

import static dev.millrace.scheduler.database.tables.Tables.FLOW;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_NUMBER;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_PATH;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_VERSION;
import static dev.millrace.scheduler.database.tables.Tables.TRIGGER;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.version.DeploymentNote;
import dev.millrace.scheduler.version.PathRows;
import dev.millrace.scheduler.version.VersionRows;
import dev.millrace.scheduler.version.VersionStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;
import org.jooq.JSON;
import org.jooq.Record;

/**
 * Store of flows in Postgres. Versions are inserted once and never change, so concurrent deployments may commit in any
 * order.
 */
public final class FlowStore {
    private static final FixedQuery FIND_CURRENT_HASH =
            new FixedQuery(select(FLOW_PATH.HASH).from(FLOW_PATH).where(PathRows.FLOWS.isAsked()));

    private static final FixedQuery FIND_NUMBER = new FixedQuery(select(FLOW_NUMBER.HASH)
            .from(FLOW_NUMBER)
            .where(FLOW_NUMBER
                    .WORKSPACE
                    .eq(param("workspace", String.class))
                    .and(FLOW_NUMBER.PATH.eq(param("path", String.class)))
                    .and(FLOW_NUMBER.NUMBER.eq(param("number", Integer.class)))));

    private static final FixedQuery FIND_VERSION = new FixedQuery(select(FLOW_VERSION.HASH)
            .from(FLOW_VERSION)
            .where(FLOW_VERSION
                    .WORKSPACE
                    .eq(param("workspace", String.class))
                    .and(FLOW_VERSION.HASH.eq(param("hash", String.class)))));

    private final Database database;
    private final VersionStore<StoredFlow> versions;

    public FlowStore(Database database) {
        this.database = database;
        this.versions = new VersionStore<>(
                database, PathRows.FLOWS, List.of(FLOW.HASH, FLOW.DIALECT, FLOW.CREATED_AT), FlowStore::flow);
    }

    /**
     * Stores a version and makes it the current version of its path. Fails with {@link ErrorCode#INVALID_FLOW} if a
     * script or flow that it names was deleted in the meantime.
     *
     * @param number version number in the definition; the path with that number refers to this version as well
     * @param triggers changes those that the file of the flow declares, in the same transaction
     */
    Deployed deploy(
            Workspace workspace,
            String path,
            int number,
            String hash,
            FlowVersion version,
            NamedPaths named,
            FlowTriggerRows triggers,
            DeploymentNote note) {
        return database.transaction(dsl -> {
            Set<String> used = new HashSet<>(PathRows.FLOWS.hold(dsl, workspace, path));
            used.addAll(numbered(dsl, workspace, path, number));
            used.add(hash);
            VersionRows.FLOWS.use(dsl, used);
            requireDeployed("script", PathRows.SCRIPTS.keep(dsl, workspace, named.scripts()));
            requireDeployed("flow", PathRows.FLOWS.keep(dsl, workspace, named.fixed()));
            PathRows.FLOWS.keep(dsl, workspace, named.started());
            insert(dsl, workspace, hash, version);
            FlowUseRows.note(dsl, hash, named);
            PathRows.FLOWS.lead(dsl, workspace, path, hash, note);
            dsl.insertInto(FLOW_NUMBER, FLOW_NUMBER.WORKSPACE, FLOW_NUMBER.PATH, FLOW_NUMBER.NUMBER, FLOW_NUMBER.HASH)
                    .values(workspace.name(), path, number, hash)
                    .onConflict(FLOW_NUMBER.WORKSPACE, FLOW_NUMBER.PATH, FLOW_NUMBER.NUMBER)
                    .doUpdate()
                    .set(FLOW_NUMBER.HASH, hash)
                    .where(FLOW_NUMBER.HASH.ne(hash))
                    .execute();
            EventRows.insert(
                    dsl, workspace, "flow.deployed", path, Map.of("hash", hash, "version", Integer.toString(number)));
            List<DeclaredChange> changes = triggers.apply(dsl);
            return new Deployed(versions.fetch(dsl, workspace, path, hash), changes);
        });
    }

    /** The changes of triggers that a deployment would make. They are made, and then rolled back. */
    List<DeclaredChange> plan(FlowTriggerRows triggers) {
        List<DeclaredChange> changes = new ArrayList<>();
        database.tryTransaction(dsl -> {
            changes.addAll(triggers.apply(dsl));
            return Optional.empty();
        });
        return changes;
    }

    /** A version that was deployed, and what changed with it. */
    record Deployed(StoredFlow flow, List<DeclaredChange> triggers) {}

    /** The version that the path with the number leads to. */
    private static Set<String> numbered(DSLContext dsl, Workspace workspace, String path, int number) {
        return dsl.select(FLOW_NUMBER.HASH)
                .from(FLOW_NUMBER)
                .where(FLOW_NUMBER.WORKSPACE.eq(workspace.name()))
                .and(FLOW_NUMBER.PATH.eq(path).and(FLOW_NUMBER.NUMBER.eq(number)))
                .fetchSet(FLOW_NUMBER.HASH);
    }

    private static void requireDeployed(String kind, Set<String> missing) {
        if (!missing.isEmpty()) {
            throw FlowScripts.deletedMeanwhile(kind, new TreeSet<>(missing));
        }
    }

    /**
     * Unpublishes a path and its numbered versions, and deletes the triggers of its file; the versions themselves remain.
     * Fails with {@link ErrorCode#IN_USE} if something uses the path.
     *
     * @param force unpublishes the path even if something uses it
     * @return the version that was current, without definition; empty if the path had none
     */
    Optional<StoredFlow> delete(Workspace workspace, String path, boolean force) {
        return database.transaction(dsl -> PathRows.FLOWS
                .delete(dsl, workspace, path, force)
                .map(hash -> {
                    dsl.deleteFrom(FLOW_NUMBER)
                            .where(FLOW_NUMBER.WORKSPACE.eq(workspace.name()).and(FLOW_NUMBER.PATH.eq(path)))
                            .execute();
                    EventRows.insert(dsl, workspace, "flow.deleted", path, Map.of("hash", hash));
                    dsl.deleteFrom(TRIGGER)
                            .where(TRIGGER.WORKSPACE.eq(workspace.name()).and(TRIGGER.FLOW_PATH.eq(path)))
                            .execute();
                    return versions.fetch(dsl, workspace, path, hash);
                }));
    }

    /** Stores a version without making it the current version of its path. */
    StoredFlow store(Workspace workspace, String path, String hash, FlowVersion version) {
        return versions.store(workspace, path, hash, dsl -> insert(dsl, workspace, hash, version));
    }

    Optional<FlowVersion> findVersion(String hash) {
        return database.run(dsl -> dsl.select(
                        FLOW.DIALECT, FLOW.FILE_NAME, FLOW.DEFINITION, FLOW.SCRIPTS, FLOW.SUBFLOWS)
                .from(FLOW)
                .where(FLOW.HASH.eq(hash))
                .fetchOptional(row -> new FlowVersion(
                        row.get(FLOW.DIALECT),
                        row.get(FLOW.FILE_NAME),
                        row.get(FLOW.DEFINITION),
                        PathMap.SCRIPTS.read(row.get(FLOW.SCRIPTS).data()),
                        PathMap.SUB_FLOWS.read(row.get(FLOW.SUBFLOWS).data()))));
    }

    /** Whether the version was deployed in the workspace and is still there; notes that it is used. */
    boolean use(Workspace workspace, String hash) {
        database.run(dsl -> VersionRows.FLOWS.useNow(dsl, hash));
        return !database.fetch(FIND_VERSION, workspace.name(), hash).isEmpty();
    }

    /** Finds a version that was deployed in the workspace. */
    Optional<StoredFlow> find(Workspace workspace, String hash) {
        return versions.find(workspace, hash, coalesce(PathRows.FLOWS.firstTo(workspace, hash), inline("")));
    }

    Optional<StoredFlow> findCurrent(Workspace workspace, String path) {
        return versions.findCurrent(workspace, path);
    }

    Optional<String> findCurrentHash(Workspace workspace, String path) {
        return database.fetch(FIND_CURRENT_HASH, workspace.name(), path).stream()
                .findFirst()
                .map(row -> row.get(FLOW_PATH.HASH));
    }

    /** Finds the version deployed last under the path and number. */
    Optional<String> findHash(Workspace workspace, String path, int number) {
        return database.fetch(FIND_NUMBER, workspace.name(), path, number).stream()
                .findFirst()
                .map(row -> row.get(FLOW_NUMBER.HASH));
    }

    List<StoredFlow> list(Workspace workspace, Optional<Set<String>> folders, String afterPath, int limit) {
        return versions.list(workspace, folders, afterPath, limit);
    }

    private static void insert(DSLContext dsl, Workspace workspace, String hash, FlowVersion version) {
        dsl.insertInto(FLOW, FLOW.HASH, FLOW.DIALECT, FLOW.FILE_NAME, FLOW.DEFINITION, FLOW.SCRIPTS, FLOW.SUBFLOWS)
                .values(
                        hash,
                        version.dialect(),
                        version.fileName(),
                        version.definition(),
                        JSON.json(PathMap.SCRIPTS.write(version.scripts())),
                        JSON.json(PathMap.SUB_FLOWS.write(version.subFlows())))
                .onConflictDoNothing()
                .execute();
        dsl.insertInto(FLOW_VERSION, FLOW_VERSION.WORKSPACE, FLOW_VERSION.HASH)
                .values(workspace.name(), hash)
                .onConflictDoNothing()
                .execute();
    }

    private static StoredFlow flow(Record row, Workspace workspace, String path, boolean whole) {
        return new StoredFlow(
                row.get(FLOW.HASH),
                path,
                workspace,
                row.get(FLOW.DIALECT),
                whole ? row.get(FLOW.DEFINITION) : "",
                row.get(FLOW.CREATED_AT).toInstant());
    }

    /** The paths of other deployed flows that name the path, {@code max} at most. */
    List<String> flowsThatName(Workspace workspace, String path, int max) {
        return database.run(dsl -> PathRows.FLOWS.flowsThatName(dsl, workspace, path, max));
    }
}
