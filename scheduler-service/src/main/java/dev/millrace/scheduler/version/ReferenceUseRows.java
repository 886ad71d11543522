package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.database.tables.Tables.FLOW_PATH;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_USE;

import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;

/** Reader of which deployed flows refer to secrets and resources. */
public final class ReferenceUseRows {
    /** Maximum number of flows that are named. */
    public static final int NAMED_MAX = 10;

    private ReferenceUseRows() {}

    /** Code of the kind in {@code flow_use}. */
    public static short code(ReferenceKind kind) {
        return switch (kind) {
            case SECRET -> 3;
            case RESOURCE -> 4;
        };
    }

    /** The paths of up to {@link #NAMED_MAX} flows whose current versions refer to a secret or resource. */
    public static List<String> flows(DSLContext dsl, Workspace workspace, ReferenceKind kind, String path) {
        return dsl.select(FLOW_PATH.PATH)
                .from(FLOW_PATH)
                .join(FLOW_USE)
                .on(FLOW_USE.HASH.eq(FLOW_PATH.HASH))
                .where(FLOW_PATH.WORKSPACE.eq(workspace.name()))
                .and(FLOW_USE.KIND.eq(code(kind)).and(FLOW_USE.PATH.eq(path)))
                .orderBy(FLOW_PATH.PATH)
                .limit(NAMED_MAX)
                .fetch(FLOW_PATH.PATH);
    }

    /** The same for each of several paths; paths to which no flow refers are absent. */
    public static Map<String, List<String>> flows(
            DSLContext dsl, Workspace workspace, ReferenceKind kind, Collection<String> paths) {
        return dsl.select(FLOW_USE.PATH, FLOW_PATH.PATH)
                .from(FLOW_PATH)
                .join(FLOW_USE)
                .on(FLOW_USE.HASH.eq(FLOW_PATH.HASH))
                .where(FLOW_PATH.WORKSPACE.eq(workspace.name()))
                .and(FLOW_USE.KIND.eq(code(kind)).and(FLOW_USE.PATH.in(paths)))
                .orderBy(FLOW_PATH.PATH)
                .fetchGroups(FLOW_USE.PATH, FLOW_PATH.PATH);
    }
}
