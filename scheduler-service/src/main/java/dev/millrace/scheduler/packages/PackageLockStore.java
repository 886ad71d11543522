package dev.millrace.scheduler.packages;

import static dev.millrace.scheduler.database.tables.Tables.PACKAGE_LOCK;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Versions of packages chosen for scripts, in Postgres. A row is written once and never changes. */
final class PackageLockStore {
    private final Database database;

    PackageLockStore(Database database) {
        this.database = database;
    }

    Optional<String> find(Workspace workspace, String script, String interpreter) {
        return database.run(dsl -> find(dsl, workspace, script, interpreter));
    }

    /** All locks of a version, in the order of their interpreters. */
    List<PackageLock> list(Workspace workspace, String script) {
        return database.run(dsl -> dsl.selectFrom(PACKAGE_LOCK)
                .where(PACKAGE_LOCK.WORKSPACE.eq(workspace.name()))
                .and(PACKAGE_LOCK.SCRIPT_HASH.eq(script))
                .orderBy(PACKAGE_LOCK.INTERPRETER)
                .fetch(PackageLockStore::lock));
    }

    /** Keeps a lock unless there is one, and returns the one that counts. */
    String keep(Workspace workspace, String script, String interpreter, String content, List<String> inferred) {
        return database.transaction(dsl -> {
            dsl.insertInto(
                            PACKAGE_LOCK,
                            PACKAGE_LOCK.WORKSPACE,
                            PACKAGE_LOCK.SCRIPT_HASH,
                            PACKAGE_LOCK.INTERPRETER,
                            PACKAGE_LOCK.CONTENT,
                            PACKAGE_LOCK.INFERRED)
                    .values(workspace.name(), script, interpreter, content, inferred.toArray(String[]::new))
                    .onConflictDoNothing()
                    .execute();
            return find(dsl, workspace, script, interpreter).orElseThrow();
        });
    }

    private static Optional<String> find(DSLContext dsl, Workspace workspace, String script, String interpreter) {
        return dsl.select(PACKAGE_LOCK.CONTENT)
                .from(PACKAGE_LOCK)
                .where(PACKAGE_LOCK.WORKSPACE.eq(workspace.name()))
                .and(PACKAGE_LOCK.SCRIPT_HASH.eq(script))
                .and(PACKAGE_LOCK.INTERPRETER.eq(interpreter))
                .fetchOptional(PACKAGE_LOCK.CONTENT);
    }

    private static PackageLock lock(Record row) {
        return new PackageLock(
                row.get(PACKAGE_LOCK.INTERPRETER),
                row.get(PACKAGE_LOCK.CONTENT),
                List.of(row.get(PACKAGE_LOCK.INFERRED)),
                row.get(PACKAGE_LOCK.CREATED_AT).toInstant());
    }
}
