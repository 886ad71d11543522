package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * A queue with limited jobs and without lanes: its methods change rows as lanes and workers would. Jobs are identified
 * by their order keys.
 */
final class LimitedQueue implements AutoCloseable {
    private final TestDatabase testDatabase = TestDatabase.migrated();
    final Database database = testDatabase.open();
    final LimitStore limits = new LimitStore(database);

    static String line(String key) {
        return "@limit/default//" + key;
    }

    /** Inserts waiting jobs with these order keys. */
    void park(
            String key,
            long from,
            long to,
            int priority,
            @Nullable Integer max,
            @Nullable Integer count,
            long perSeconds) {
        execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, limit_queue, released_tag, priority, order_key, state,
                    timeout_millis, input, limit_max, limit_count, limit_millis)
                select 0, id, id, 'default', 2, 'h', 'h', '', ?, ?, 'handler:h', ?, n, 1, 60000, '{}', ?, ?, ?
                from (select n, gen_random_uuid() as id from generate_series(?::int8, ?::int8) n) as j
                """, line(key), line(key), priority, max, count, count == null ? null : perSeconds * 1_000, from, to);
    }

    LimitStore.Moved move(String... keys) {
        return limits.move(List.of(keys).stream().map(LimitedQueue::line).toList());
    }

    /** Advances the queue until nothing more is released. */
    void moveAll(String key) {
        while (!move(key).tags().isEmpty()) {
            // Repeats until nothing is released.
        }
    }

    /** Released jobs that no worker has taken. */
    List<Long> released(String key) {
        return orderKeys("limit_queue = ? and released_tag is null and state = 1", line(key));
    }

    List<Long> leased(String key) {
        return orderKeys("limit_queue = ? and released_tag is null and state = 2", line(key));
    }

    /** Leases the job to a worker. */
    void lease(long job) {
        execute(
                "update job_queue set state = 2, session_id = gen_random_uuid(), lease_token = 1 where order_key = ? and state = 1",
                job);
    }

    /** Ends the job. */
    void end(long job) {
        execute("delete from job_queue where order_key = ?", job);
    }

    /**
     * Returns the job to the queue of its limit in the given state, as if its worker gave it back or its run were
     * paused.
     */
    void parkAgain(long job, int state) {
        execute("""
                update job_queue set released_tag = tag, tag = limit_queue, state = ?, session_id = null, lease_token = null,
                    held = ? = 6, run_after = case when ? = 3 then now() end
                where order_key = ?
                """, state, state, state, job);
    }

    /** Makes a delayed or held job wait for its limit again. */
    void queue(long job) {
        execute("update job_queue set state = 1, held = false, run_after = null where order_key = ?", job);
    }

    /** Lets time pass. */
    void pass(Duration time) {
        execute(
                "update limited_begin set begun_at = begun_at - ? * interval '1 millisecond', expires_at = expires_at - ? * interval '1 millisecond'",
                time.toMillis(),
                time.toMillis());
    }

    int begins() {
        return database.run(sql -> sql.fetch("select 1 from limited_begin").size());
    }

    List<Record> rows(String query, Object... values) {
        return List.copyOf(database.run(sql -> sql.fetch(query, values)));
    }

    void execute(String statement, @Nullable Object... values) {
        database.run(sql -> sql.execute(statement, values));
    }

    private List<Long> orderKeys(String condition, Object... values) {
        return database.run(sql -> sql.fetch(
                        "select order_key from job_queue where " + condition + " order by priority desc, order_key",
                        values)
                .getValues(0, Long.class));
    }

    @Override
    public void close() {
        database.close();
        testDatabase.close();
    }
}
