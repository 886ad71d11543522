package dev.millrace.scheduler.eventlog;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.DSLContext;

/**
 * Events that are always stored, whether or not somebody follows the workspace: changes that are rare. They commit with
 * the change.
 */
public final class EventRows {
    /**
     * Inserts the event of a worker for each workspace that its token names, or one for all workspaces that are not
     * isolated. Follows {@code with changed as (…)}, whose rows have the columns {@code workspaces}, {@code worker_name}
     * and {@code id} of the session. The first parameter is the type.
     */
    public static final String OF_WORKERS = """
            insert into event (workspace, type, name, detail)
            select unnest(case when cardinality(changed.workspaces) = 0 then array[''] else changed.workspaces end), ?::text,
                changed.worker_name, json_build_object('session_id', changed.id)
            from changed
            """;

    private static final String INSERT =
            "insert into event (workspace, type, name, detail) values (?::text, ?::text, ?::text, ?::json)";

    private EventRows() {}

    /**
     * Stores an event in the transaction of its change.
     *
     * @param type for example {@code flow.deployed}, at most 64 characters
     * @param name path or name of what has changed; its first part is the folder whose viewers see the event
     */
    public static void insert(
            DSLContext transaction, Workspace workspace, String type, String name, Map<String, String> detail) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        detail.forEach((key, value) -> members.put(key, JsonValue.ofString(value)));
        transaction.execute(
                INSERT,
                workspace.name(),
                type,
                name,
                JsonValue.ofMembers(members).text());
    }
}
