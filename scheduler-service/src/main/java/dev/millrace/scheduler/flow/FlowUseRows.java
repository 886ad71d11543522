package dev.millrace.scheduler.flow;

import static dev.millrace.scheduler.database.tables.Tables.FLOW_USE;

import dev.millrace.scheduler.version.VersionKind;
import java.util.Collection;
import org.jooq.DSLContext;

/** Writer of the paths that a version of a flow uses. */
final class FlowUseRows {
    private FlowUseRows() {}

    static void note(DSLContext dsl, String hash, NamedPaths named) {
        note(dsl, hash, VersionKind.SCRIPT, named.scripts());
        note(dsl, hash, VersionKind.FLOW, named.flows());
    }

    private static void note(DSLContext dsl, String hash, VersionKind kind, Collection<String> paths) {
        for (String path : paths) {
            dsl.insertInto(FLOW_USE, FLOW_USE.HASH, FLOW_USE.KIND, FLOW_USE.PATH)
                    .values(hash, kind.code(), path)
                    .onConflictDoNothing()
                    .execute();
        }
    }
}
