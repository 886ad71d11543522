package dev.millrace.scheduler.retention;

import dev.millrace.scheduler.config.RetentionConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.TestDatabase;
import java.util.List;
import java.util.Map;

/** A database with some runs and with a function {@code id_of(age)}, which makes an id of that age. */
final class RetentionDatabase implements AutoCloseable {
    private static final RetentionConfig DEFAULTS = new RetentionConfig(Map.of());

    private final TestDatabase testDatabase = TestDatabase.migrated();
    final Database database = testDatabase.open();

    RetentionDatabase() {
        execute("""
                create function id_of(age interval) returns uuid language sql as $$
                    select (lpad(to_hex((extract(epoch from now() - age) * 1000)::bigint), 12, '0')
                        || '7' || left(md5(random()::text), 3) || '8' || left(md5(random()::text), 15))::uuid
                $$
                """);
    }

    void execute(String sql) {
        testDatabase.execute(sql);
    }

    List<String> texts(String sql) {
        return database.run(dsl -> dsl.fetch(sql).getValues(0, String.class));
    }

    long count(String table) {
        return database.run(
                dsl -> dsl.fetchSingle("select count(*) from " + table).get(0, Long.class));
    }

    /** An id of this age, as text. */
    String id(String age) {
        return texts("select id_of('" + age + "')::text").getFirst();
    }

    /** Inserts a run that has not ended. */
    void live(String run) {
        execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                    timeout_millis, input)
                values (0, '%1$s', '%1$s', 'default', 3, 'f', 'f', '', '', 0, 0, 4, 1, '{}')
                """.formatted(run));
    }

    /** Inserts the history row of a run's root job. */
    void ended(String run, String age) {
        step(run, run, "", age);
    }

    /** Inserts the history row of a step. */
    void step(String run, String id, String key, String age) {
        execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, created_at, ended_at)
                values (0, '%s', '%s', 'default', 2, 'h', 'h', '%s', 'handler:h', 1, 1, now(), now() - interval '%s')
                """.formatted(id, run, key, age));
    }

    /** Adds the partition of the day on which this id was made. */
    void addDay(String table, String id) {
        execute("""
                do $do$
                declare
                    day_of date := (to_timestamp(('x' || left(replace('%2$s', '-', ''), 12))::bit(48)::bigint / 1000.0) at time zone 'UTC')::date;
                    day_start text := lpad(to_hex((extract(epoch from day_of::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20);
                    day_end text := lpad(to_hex((extract(epoch from (day_of + 1)::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20);
                begin
                    execute format('create table %1$s_%%s partition of %1$s for values from (%%L) to (%%L)',
                        to_char(day_of, 'YYYYMMDD'), day_start::uuid, day_end::uuid);
                end $do$
                """.formatted(table, id));
    }

    /** Partitions before today. */
    List<String> pastDays(String table) {
        return texts("""
                select inhrelid::regclass::text from pg_inherits where inhparent = '%1$s'::regclass
                and inhrelid::regclass::text < '%1$s_' || to_char(now() at time zone 'UTC', 'YYYYMMDD')
                order by 1
                """.formatted(table));
    }

    RetentionStore store() {
        return new RetentionStore(database, DEFAULTS);
    }

    /** Retention with these rules only. */
    Retention retention(RetentionRule... rules) {
        return new Retention(database, DEFAULTS, List.of(rules));
    }

    /** Sweeps by these rules, even if they are not due. */
    void sweep(RetentionRule... rules) {
        execute("update retention_sweep set due_at = now()");
        retention(rules).runOnce();
    }

    @Override
    public void close() {
        database.close();
        testDatabase.close();
    }
}
