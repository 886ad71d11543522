package dev.millrace.scheduler.flow;

import static dev.millrace.scheduler.database.tables.Tables.FLOW_USE;

import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.version.ReferenceUseRows;
import dev.millrace.scheduler.version.VersionKind;
import java.util.Collection;
import org.jooq.DSLContext;

/** Writer of the paths of scripts, flows, secrets and resources that a version of a flow uses. */
final class FlowUseRows {
    private FlowUseRows() {}

    static void note(DSLContext dsl, String hash, NamedPaths named) {
        note(dsl, hash, VersionKind.SCRIPT, named.scripts());
        note(dsl, hash, VersionKind.FLOW, named.flows());
        for (ReferenceKind kind : ReferenceKind.values()) {
            note(
                    dsl,
                    hash,
                    ReferenceUseRows.code(kind),
                    named.references().stream()
                            .filter(reference -> reference.kind() == kind)
                            .map(Root.Reference::path)
                            .toList());
        }
    }

    private static void note(DSLContext dsl, String hash, VersionKind kind, Collection<String> paths) {
        note(dsl, hash, kind.code(), paths);
    }

    private static void note(DSLContext dsl, String hash, short kind, Collection<String> paths) {
        for (String path : paths) {
            dsl.insertInto(FLOW_USE, FLOW_USE.HASH, FLOW_USE.KIND, FLOW_USE.PATH)
                    .values(hash, kind, path)
                    .onConflictDoNothing()
                    .execute();
        }
    }
}
