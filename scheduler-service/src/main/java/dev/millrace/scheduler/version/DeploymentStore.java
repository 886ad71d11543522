package dev.millrace.scheduler.version;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.DSLContext;

/** Deployments of paths in Postgres. */
final class DeploymentStore {
    private static final String RECORD = """
            insert into deployment (workspace, kind, path, number, hash, actor, message)
            select ?, ?, ?, coalesce(max(number), 0) + 1, ?, ?, ? from deployment where workspace = ? and kind = ? and path = ?
            """;

    private static final String LIST = """
            select d.number, d.hash, d.actor, d.message, d.deployed_at,
                d.number = (select max(l.number) from deployment l where l.workspace = d.workspace and l.kind = d.kind and l.path = d.path)
                    and d.hash = case d.kind
                        when 1 then (select p.hash from script_path p where p.workspace = d.workspace and p.path = d.path)
                        else (select p.hash from flow_path p where p.workspace = d.workspace and p.path = d.path) end as is_current
            from deployment d where d.workspace = ? and d.kind = ? and d.path = ? and d.number < ?
            order by d.number desc limit ?
            """;

    private final Database database;

    DeploymentStore(Database database) {
        this.database = database;
    }

    /** Records a deployment in the transaction that leads the path to its version, whose lock on the path it relies on. */
    static void record(
            DSLContext dsl, Workspace workspace, VersionKind kind, String path, String hash, DeploymentNote note) {
        dsl.execute(
                RECORD,
                workspace.name(),
                kind.code(),
                path,
                hash,
                note.actor(),
                note.message(),
                workspace.name(),
                kind.code(),
                path);
    }

    /** Deployments of a path with smaller numbers than {@code before}, newest first. */
    List<Deployments.Deployment> list(Workspace workspace, VersionKind kind, String path, long before, int limit) {
        return database.run(dsl -> dsl.fetch(LIST, workspace.name(), kind.code(), path, before, limit)
                .map(row -> new Deployments.Deployment(
                        row.get("number", Long.class),
                        row.get("hash", String.class),
                        new DeploymentNote(row.get("actor", String.class), row.get("message", String.class)),
                        row.get("deployed_at", OffsetDateTime.class).toInstant(),
                        Boolean.TRUE.equals(row.get("is_current", Boolean.class)))));
    }
}
