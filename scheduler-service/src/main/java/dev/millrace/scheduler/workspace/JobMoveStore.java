package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import java.util.List;

/** Moves waiting jobs of workspaces that have tags of their own, in Postgres. */
final class JobMoveStore {
    /** Maximum number of jobs that a statement moves. */
    static final int BATCH_MAX = 1_000;

    /**
     * A job has its tag in one of three columns: of its own, beside the tag of a limit, or beside and within the route of
     * its group.
     */
    private static final String MOVE = NamedCodes.expand("""
            with outside as (
                select q.bucket, q.id from job_queue q join workspace w on w.key = q.workspace
                where w.own_tags and w.moving_until > now() and q.kind in ({JobKind.SCRIPT}, {JobKind.HANDLER})
                  and coalesce(q.own_tag, q.released_tag, q.tag) not like '~%'
                order by q.bucket, q.id limit ?
                for update of q skip locked
            ), moved as (
                update job_queue q
                set own_tag = routed_tag(q.workspace, q.own_tag),
                    released_tag = routed_tag(q.workspace, q.released_tag),
                    tag = case when q.own_tag is not null and q.released_tag is null then substr(q.tag, 1, strpos(q.tag, '/')) || routed_tag(q.workspace, q.own_tag)
                        when q.released_tag is not null then q.tag
                        else routed_tag(q.workspace, q.tag) end
                from outside o where q.bucket = o.bucket and q.id = o.id
                returning q.tag
            )
            select array_agg(distinct tag), count(*)::int from moved
            """);

    private static final String IS_MOVING =
            "select exists (select from workspace where own_tags and moving_until > now())";

    private final Database database;

    JobMoveStore(Database database) {
        this.database = database;
    }

    /** Whether a workspace has lately got tags of its own. */
    boolean isMoving() {
        return Boolean.TRUE.equals(
                database.run(dsl -> dsl.fetchSingle(IS_MOVING).get(0, Boolean.class)));
    }

    /** Jobs that were moved, with the tags under which they wait. */
    record Moved(List<String> tags, int jobs) {}

    /** Moves up to {@link #BATCH_MAX} jobs. */
    Moved move() {
        return database.run(dsl -> {
            var row = dsl.fetchSingle(MOVE, BATCH_MAX);
            String[] tags = row.get(0, String[].class);
            return new Moved(tags == null ? List.of() : List.of(tags), row.get(1, Integer.class));
        });
    }
}
