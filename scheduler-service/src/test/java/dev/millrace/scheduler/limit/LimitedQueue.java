package dev.millrace.scheduler.limit;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** A queue with jobs under limits, without lanes: what lanes and workers do to their rows is done here. Jobs are known by their order keys. */
final class LimitedQueue implements AutoCloseable {
    private final TestDatabase testDatabase = TestDatabase.migrated();
    final Database database = testDatabase.open();
    final LimitStore limits = new LimitStore(database);

    static String line(String key) {
        return "@limit/default/" + key;
    }

    /** Puts jobs with these order keys into line. */
    void park(
            String key,
            long from,
            long to,
            int priority,
            @Nullable Integer max,
            @Nullable Integer count,
            long perSeconds) {
        execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, own_tag, priority, order_key, state,
                    timeout_millis, input, limit_max, limit_count, limit_millis)
                select 0, id, id, 'default', 2, 'h', 'h', '', ?, 'handler:h', ?, n, 1, 60000, '{}', ?, ?, ?
                from (select n, gen_random_uuid() as id from generate_series(?::int8, ?::int8) n) as j
                """, line(key), priority, max, count, count == null ? null : perSeconds * 1_000, from, to);
    }

    LimitStore.Moved move(String... keys) {
        return limits.move(List.of(keys).stream().map(LimitedQueue::line).toList());
    }

    /** Moves the line until nothing more goes. */
    void moveAll(String key) {
        while (!move(key).tags().isEmpty()) {
            // Once more.
        }
    }

    /** Jobs that were let go and that no worker has taken. */
    List<Long> released(String key) {
        return orderKeys("limit_key = ? and state = 1", line(key));
    }

    List<Long> leased(String key) {
        return orderKeys("limit_key = ? and state = 2", line(key));
    }

    /** A worker takes the job. */
    void lease(long job) {
        execute(
                "update job_queue set state = 2, session_id = gen_random_uuid(), lease_token = 1 where order_key = ? and state = 1",
                job);
    }

    /** The job is over. */
    void end(long job) {
        execute("delete from job_queue where order_key = ?", job);
    }

    /** The job comes back from its worker, or the run is paused: it gives its place back. */
    void parkAgain(long job, int state) {
        execute("""
                update job_queue set own_tag = tag, tag = limit_key, limit_key = null, state = ?, session_id = null, lease_token = null,
                    held = ? = 6, run_after = case when ? = 3 then now() end
                where order_key = ?
                """, state, state, state, job);
    }

    /** The job that waited for something else waits in line again. */
    void queue(long job) {
        execute("update job_queue set state = 1, held = false, run_after = null where order_key = ?", job);
    }

    /** So much time goes by. */
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
