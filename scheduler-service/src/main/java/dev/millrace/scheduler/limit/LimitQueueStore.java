package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import java.util.List;

/** Finds the queues of limits in the database, announced or not. */
final class LimitQueueStore {
    /** Maximum number of tags that one query returns. */
    static final int TAGS_MAX = 5_000;
    /** Maximum number of queues whose begins are not noted yet that one query returns. */
    static final int QUEUES_MAX = 1_000;

    /** One index look-up for each tag, however many jobs wait under that tag. */
    private static final String WAITED_FOR = NamedCodes.expand("""
            with recursive tags(tag, place) as (
                (select q.tag, 1 from job_queue q where q.state = {JobState.QUEUED} and q.tag > ? order by q.tag limit 1)
                union all
                select (select q.tag from job_queue q where q.state = {JobState.QUEUED} and q.tag > t.tag order by q.tag limit 1), place + 1
                from tags t where t.tag is not null and place < ?
            )
            select tag from tags where tag is not null order by place
            """);

    private static final String NOT_NOTED = """
            select distinct limit_key from limited_begin where begun_at = 'infinity' limit ?
            """;

    private final Database database;

    LimitQueueStore(Database database) {
        this.database = database;
    }

    /**
     * Tags greater than {@code tag} of jobs that are claimable or wait for a limit, in order; at most {@link
     * #TAGS_MAX}.
     */
    List<String> tagsAfter(String tag) {
        return database.run(context -> context.fetch(WAITED_FOR, tag, TAGS_MAX).getValues(0, String.class));
    }

    /** Queues with released jobs whose begin is not noted yet; at most {@link #QUEUES_MAX}. */
    List<String> queuesNotNoted() {
        return database.run(context -> context.fetch(NOT_NOTED, QUEUES_MAX).getValues(0, String.class));
    }
}
