package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How far the running jobs of a run are, from the log that they have written anyway. A job costs one look into the primary
 * key of the log, at the end of its stream of traces.
 */
final class ProgressStore {
    /** Chunks of a job that are searched, the newest first. */
    private static final int CHUNKS_MAX = 3;

    private static final String FIND = NamedCodes.expand("""
            select job_queue.id, chunk.sequence, chunk.text
            from job_queue cross join lateral (
                select sequence, text from job_log
                where job_log.job_id = job_queue.id and job_log.attempt = job_queue.attempt and stream = 4
                order by sequence desc limit ?) as chunk
            where job_queue.run_id = ? and job_queue.session_id is not null
                and job_queue.kind in ({JobKind.SCRIPT}, {JobKind.HANDLER})
            order by job_queue.id, chunk.sequence desc
            """);

    private final Database database;

    ProgressStore(Database database) {
        this.database = database;
    }

    /** What each job has told last; jobs that have told nothing lately are absent. */
    Map<JobId, Json> find(RunId run) {
        return database.run(dsl -> {
            Map<JobId, Json> found = new HashMap<>();
            for (var row : dsl.fetch(FIND, CHUNKS_MAX, run.value())) {
                JobId job = new JobId(row.get(0, UUID.class));
                if (!found.containsKey(job)) {
                    ProgressLine.last(row.get(2, String.class)).ifPresent(value -> found.put(job, value));
                }
            }
            return found;
        });
    }
}
