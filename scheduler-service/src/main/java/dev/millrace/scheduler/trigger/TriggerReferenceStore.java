package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.expression.ReferenceKind;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.version.ReferenceUseRows;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jooq.Record;

/** Reads what triggers refer to. */
final class TriggerReferenceStore {
    /** Secrets that are named in a resource count, too. */
    private static final String MISSING = NamedCodes.expand("""
            with needed as (
                select trigger_id, workspace, kind, path from trigger_use where trigger_id = any (?::uuid[])
                union
                select u.trigger_id, u.workspace, {ReferenceKind.SECRET}::smallint, named.path
                from trigger_use u join resource r on r.workspace = u.workspace and r.path = u.path
                    cross join lateral unnest(r.secrets) as named (path)
                where u.trigger_id = any (?::uuid[]) and u.kind = {ReferenceKind.RESOURCE}
            )
            select n.trigger_id, n.kind, n.path from needed n
            where case n.kind
                when {ReferenceKind.SECRET} then not exists (select from secret s where s.workspace = n.workspace and s.path = n.path)
                else not exists (select from resource r where r.workspace = n.workspace and r.path = n.path) end
            order by n.trigger_id, n.kind, n.path
            """, ReferenceUseRows.CODES);

    private final Database database;

    TriggerReferenceStore(Database database) {
        this.database = database;
    }

    /** A secret or resource that a trigger needs and that does not exist. */
    record Missing(TriggerId trigger, ReferenceKind kind, String path) {}

    /** What these triggers lack, in the order of kinds and paths. */
    List<Missing> missing(Collection<TriggerId> triggers) {
        UUID[] ids = triggers.stream().map(TriggerId::value).toArray(UUID[]::new);
        return database.run(dsl -> dsl.fetch(MISSING, ids, ids)).map(TriggerReferenceStore::read);
    }

    private static Missing read(Record row) {
        return new Missing(
                new TriggerId(row.get("trigger_id", UUID.class)),
                row.get("kind", Short.class) == ReferenceUseRows.code(ReferenceKind.SECRET)
                        ? ReferenceKind.SECRET
                        : ReferenceKind.RESOURCE,
                row.get("path", String.class));
    }
}
