package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.database.tables.Tables.FLOW_PATH;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_USE;

import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DSLContext;

/** Reader of what refers to secrets and resources. */
public final class ReferenceUseRows {
    /** Maximum number of flows that are named, and of other users of each kind. */
    public static final int NAMED_MAX = 10;

    private static final String OTHERS = """
            select used.path as used, other.kind, other.path from unnest(?::text[]) as used (path) cross join lateral (
                (select 2 as place, t.kind, t.path from trigger_use u join trigger t on t.id = u.trigger_id
                    where u.workspace = ? and u.kind = ? and u.path = used.path limit ?)
                union all
                (select 3, 'alert', a.name from alert a where a.workspace = ?
                    and case when ? then used.path in (a.url_secret, a.signing_secret) else used.path = a.connection end limit ?)
                union all
                (select 1, 'resource', r.path from resource r where ? and r.workspace = ? and r.secrets @> array[used.path]::text[] limit ?)
            ) other
            order by used, other.place, other.kind, other.path
            """;

    /** Codes of the kinds in {@code flow_use} and {@code trigger_use}, by their names for {@link NamedCodes}. */
    public static final Map<String, Short> CODES = Arrays.stream(ReferenceKind.values())
            .collect(Collectors.toMap(kind -> "ReferenceKind." + kind, ReferenceUseRows::code));

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
    private static Map<String, List<String>> flows(
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

    /** What refers to each of several paths; paths to which nothing refers are absent. */
    public static Map<String, ReferenceUsers> users(
            DSLContext dsl, Workspace workspace, ReferenceKind kind, Collection<String> paths) {
        Map<String, List<String>> flows = flows(dsl, workspace, kind, paths);
        String owner = workspace.name();
        boolean isSecret = kind == ReferenceKind.SECRET;
        Map<String, List<ReferenceUser>> others = dsl.fetch(
                        OTHERS,
                        paths.toArray(String[]::new),
                        owner,
                        code(kind),
                        NAMED_MAX,
                        owner,
                        isSecret,
                        NAMED_MAX,
                        isSecret,
                        owner,
                        NAMED_MAX)
                .intoGroups(
                        row -> row.get("used", String.class),
                        row -> new ReferenceUser(row.get("kind", String.class), row.get("path", String.class)));
        return paths.stream()
                .distinct()
                .filter(path -> flows.containsKey(path) || others.containsKey(path))
                .collect(Collectors.toMap(
                        Function.identity(),
                        path -> new ReferenceUsers(
                                flows.getOrDefault(path, List.of()).stream()
                                        .limit(NAMED_MAX)
                                        .toList(),
                                others.getOrDefault(path, List.of()))));
    }
}
