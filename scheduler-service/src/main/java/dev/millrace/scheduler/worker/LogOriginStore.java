package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.LeaseKey;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.worker.LogOrigins.Origin;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Finds the attempts that belong to leases, among leased and finished jobs. */
final class LogOriginStore {
    private static final String FIND = """
            with wanted as (
                select * from unnest(?::int2[], ?::uuid[], ?::int8[]) as w(bucket, id, token)
            )
            select w.id, w.token, q.run_id, q.step_key, q.attempt
            from wanted w join job_queue q on q.bucket = w.bucket and q.id = w.id and q.lease_token = w.token
            union
            select w.id, w.token, h.run_id, h.step_key, h.attempt
            from wanted w join job_history h on h.bucket = w.bucket and h.id = w.id and h.lease_token = w.token
            """;

    private final Database database;

    LogOriginStore(Database database) {
        this.database = database;
    }

    /** Returns the attempts of the leases that exist or under which a job has ended. */
    Map<LeaseKey, Origin> find(Collection<LeaseKey> keys) {
        Short[] buckets = keys.stream().map(key -> key.job().bucket().value()).toArray(Short[]::new);
        UUID[] ids = keys.stream().map(key -> key.job().value()).toArray(UUID[]::new);
        Long[] tokens = keys.stream().map(key -> key.token().value()).toArray(Long[]::new);
        Map<LeaseKey, Origin> found = new HashMap<>();
        database.run(context -> context.fetch(FIND, buckets, ids, tokens))
                .forEach(row -> found.put(
                        new LeaseKey(
                                new JobId(row.get("id", UUID.class)), new LeaseToken(row.get("token", Long.class))),
                        new Origin(
                                new RunId(row.get("run_id", UUID.class)),
                                row.get("step_key", String.class),
                                row.get("attempt", Integer.class))));
        return found;
    }
}
