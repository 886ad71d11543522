package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.database.tables.Tables.FLOW_PATH;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_USE;
import static dev.millrace.scheduler.database.tables.Tables.JOB_QUEUE;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_PATH;
import static org.jooq.impl.DSL.currentOffsetDateTime;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;

import dev.millrace.scheduler.database.FixedQuery;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.TableField;

/**
 * The paths of workspaces that lead to versions of flows, or to versions of scripts. All methods run inside the
 * caller's transaction.
 *
 * <p>A deletion locks its path until the commit. A deployment of a flow locks each path that the flow names. So either
 * the deployment comes first and the deletion finds the flow among the users, or the deployment finds the path gone.
 */
public final class PathRows {
    /** Maximum number of users of a path that are listed. */
    public static final int USERS_MAX = 100;

    public static final PathRows FLOWS = new PathRows(
            VersionKind.FLOW,
            VersionRows.FLOWS,
            FLOW_PATH,
            FLOW_PATH.WORKSPACE,
            FLOW_PATH.PATH,
            FLOW_PATH.HASH,
            FLOW_PATH.UPDATED_AT);
    public static final PathRows SCRIPTS = new PathRows(
            VersionKind.SCRIPT,
            VersionRows.SCRIPTS,
            SCRIPT_PATH,
            SCRIPT_PATH.WORKSPACE,
            SCRIPT_PATH.PATH,
            SCRIPT_PATH.HASH,
            SCRIPT_PATH.UPDATED_AT);

    private final VersionKind kind;
    final VersionRows versions;
    final Table<?> table;
    final Field<String> workspaces;
    final Field<String> paths;
    final Field<String> hashes;
    private final Field<OffsetDateTime> updated;

    private PathRows(
            VersionKind kind,
            VersionRows versions,
            Table<?> table,
            TableField<?, String> workspaces,
            TableField<?, String> paths,
            TableField<?, String> hashes,
            TableField<?, OffsetDateTime> updated) {
        this.kind = kind;
        this.versions = versions;
        this.table = table;
        this.workspaces = workspaces;
        this.paths = paths;
        this.hashes = hashes;
        this.updated = updated;
    }

    /**
     * The version that the path leads to, if any. The path stays locked, so that deployments at one path follow each other; others may name the path
     * meanwhile, but not delete it.
     */
    public Set<String> hold(DSLContext dsl, Workspace workspace, String path) {
        return dsl.select(hashes)
                .from(table)
                .where(workspaces.eq(workspace.name()).and(paths.eq(path)))
                .forNoKeyUpdate()
                .fetchSet(hashes);
    }

    /** The condition of a {@link FixedQuery} for one path, whose values are the workspace and the path. */
    public Condition isAsked() {
        return workspaces.eq(param("workspace", String.class)).and(paths.eq(param("path", String.class)));
    }

    /** Leads the path to a version. If it led elsewhere before, the deployment is recorded. */
    public void lead(DSLContext dsl, Workspace workspace, String path, String hash, DeploymentNote note) {
        int changed = dsl.insertInto(table, workspaces, paths, hashes)
                .values(workspace.name(), path, hash)
                .onConflict(workspaces, paths)
                .doUpdate()
                .set(hashes, hash)
                .set(updated, currentOffsetDateTime())
                .where(hashes.ne(hash))
                .execute();
        if (changed > 0) {
            DeploymentStore.record(dsl, workspace, kind, path, hash, note);
        }
    }

    /** The first path that leads to a version; null if none does. */
    public Field<String> firstTo(Workspace workspace, String hash) {
        return field(select(paths)
                .from(table)
                .where(workspaces.eq(workspace.name()).and(hashes.eq(hash)))
                .orderBy(paths)
                .limit(inline(1)));
    }

    /** Keeps the paths from being deleted until the commit. Returns the paths that do not exist. */
    public Set<String> keep(DSLContext dsl, Workspace workspace, Collection<String> wanted) {
        Set<String> missing = new HashSet<>(wanted);
        if (!wanted.isEmpty()) {
            missing.removeAll(dsl.select(paths)
                    .from(table)
                    .where(workspaces.eq(workspace.name()).and(paths.in(wanted)))
                    .orderBy(paths)
                    .forKeyShare()
                    .fetch(paths));
        }
        return missing;
    }

    /**
     * Deletes the path.
     *
     * @param force deletes the path even if it is in use
     * @return the version to which the path led; empty if there was no such path
     * @throws dev.millrace.scheduler.error.MillraceException with {@code IN_USE} if it is in use and {@code force} is
     *     false
     */
    public Optional<String> delete(DSLContext dsl, Workspace workspace, String path, boolean force) {
        Condition isIt = workspaces.eq(workspace.name()).and(paths.eq(path));
        // Deployments that hold the lock have committed once the lock is granted, so the next statements see them.
        Optional<String> hash =
                dsl.select(hashes).from(table).where(isIt).forUpdate().fetchOptional(hashes);
        if (hash.isPresent() && !force) {
            Users users = users(dsl, workspace, path);
            if (!users.isNobody()) {
                throw users.refusal(kind, path);
            }
        }
        hash.ifPresent(version -> versions.use(dsl, Set.of(version)));
        dsl.deleteFrom(table).where(isIt).execute();
        return hash;
    }

    /** The paths of other deployed flows that name the path, {@code max} at most. */
    public List<String> flowsThatName(DSLContext dsl, Workspace workspace, String path, int max) {
        return dsl.select(FLOW_PATH.PATH)
                .from(FLOW_PATH)
                .join(FLOW_USE)
                .on(FLOW_USE.HASH.eq(FLOW_PATH.HASH))
                .where(FLOW_PATH.WORKSPACE.eq(workspace.name()).and(names(path)))
                .and(
                        kind == VersionKind.FLOW
                                ? FLOW_PATH.PATH.ne(path)
                                : inline(true).isTrue())
                .orderBy(FLOW_PATH.PATH)
                .limit(max)
                .fetch(FLOW_PATH.PATH);
    }

    private Condition names(String path) {
        return FLOW_USE.KIND.eq(inline(kind.code())).and(FLOW_USE.PATH.eq(path));
    }

    private Users users(DSLContext dsl, Workspace workspace, String path) {
        Condition names = names(path);
        List<String> flows = flowsThatName(dsl, workspace, path, Users.NAMED_MAX + 1);
        Condition isRunOfIt = JOB_QUEUE.KIND.eq(inline(kind.root().code())).and(JOB_QUEUE.NAME.eq(path));
        Condition isRunThatNamesIt = JOB_QUEUE
                .KIND
                .eq(inline(JobKind.FLOW.code()))
                .and(exists(selectOne()
                        .from(FLOW_USE)
                        .where(FLOW_USE.HASH.eq(JOB_QUEUE.TARGET))
                        .and(names)));
        List<String> runs = dsl.select(JOB_QUEUE.ID)
                .from(JOB_QUEUE)
                .where(JOB_QUEUE.WORKSPACE.eq(workspace.name()).and(JOB_QUEUE.STEP_KEY.eq(inline(""))))
                .and(isRunOfIt.or(isRunThatNamesIt))
                .orderBy(JOB_QUEUE.ID)
                .limit(Users.NAMED_MAX + 1)
                .fetch(row -> row.value1().toString());
        return new Users(flows, runs);
    }
}
