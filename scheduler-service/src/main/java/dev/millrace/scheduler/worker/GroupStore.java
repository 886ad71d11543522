package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Reads the jobs and folders of affinity groups. */
final class GroupStore {
    /** Maximum number of jobs per query. */
    static final int BATCH_MAX = 500;

    private static final String IN_VAIN = NamedCodes.expand("""
            select q.run_id, q.step_key, q.tag, plain_tag(q.own_tag) as own_tag, g.worker_name, s.id is null as is_lost
            from worker_group g
            join job_queue q on q.bucket = g.bucket and q.run_id = g.run_id and q.group_id = g.id
            left join worker_session s on s.id = g.session_id and s.ended_at is null
            where g.session_id is not null and q.state = {JobState.QUEUED} and q.own_tag is not null
              and (s.id is null or not exists (
                  select from json_array_elements(s.slot_groups) as p, json_array_elements_text(p -> 'tags') as t(tag)
                  where t.tag = plain_tag(q.own_tag)))
            limit ?
            """);
    private static final String WAITING = NamedCodes.expand("""
            select distinct q.tag
            from worker_group g
            join job_queue q on q.bucket = g.bucket and q.run_id = g.run_id and q.group_id = g.id
            where g.session_id = any (?) and q.state = {JobState.QUEUED} and q.own_tag is not null
            """);
    private static final String ENDED = """
            select f.id from unnest(?::uuid[]) as f(id)
            where not exists (
                select from worker_group g where g.id = f.id and (g.session_id is null or g.session_id = ?))
            """;

    private final Database database;

    GroupStore(Database database) {
        this.database = database;
    }

    /** A step whose group will never get its worker, with the tag under which it waits. */
    record InVain(RunId run, String stepKey, String tag, JobError why) {}

    /** Returns steps whose group has lost its worker, or whose tag the worker does not serve. */
    List<InVain> inVain() {
        return database.run(context -> context.fetch(IN_VAIN, BATCH_MAX)
                .map(row -> new InVain(
                        new RunId(row.get("run_id", UUID.class)),
                        row.get("step_key", String.class),
                        row.get("tag", String.class),
                        row.get("is_lost", Boolean.class)
                                ? JobGroup.folderLost(row.get("worker_name", String.class))
                                : JobGroup.notServed(
                                        row.get("worker_name", String.class), row.get("own_tag", String.class)))));
    }

    /** Returns the tags under which jobs wait for these sessions alone. */
    List<String> waitingFor(Collection<SessionId> sessions) {
        UUID[] ids = sessions.stream().map(SessionId::value).toArray(UUID[]::new);
        return database.run(context -> context.fetch(WAITING, (Object) ids).getValues(0, String.class));
    }

    /** Returns the groups whose folders this session need not keep. */
    List<UUID> ended(SessionId session, Collection<UUID> groups) {
        UUID[] ids = groups.toArray(UUID[]::new);
        return database.run(
                context -> context.fetch(ENDED, ids, session.value()).getValues(0, UUID.class));
    }
}
