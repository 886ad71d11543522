package dev.millrace.bench.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import javax.sql.DataSource;

/**
 * {@code DbSchedulerBurn JDBC_URL JOBS}: db-scheduler with the polling that its documentation recommends for
 * throughput.
 */
public final class DbSchedulerBurn {
    private static final int BATCH = 1_000;

    /** The table as defined in db-scheduler's documentation. */
    private static final String SCHEMA = """
            create table scheduled_tasks (
                task_name text not null, task_instance text not null, task_data bytea, execution_time timestamptz not null,
                picked boolean not null, picked_by text, last_success timestamptz, last_failure timestamptz,
                consecutive_failures int, last_heartbeat timestamptz, version bigint not null, priority smallint,
                primary key (task_name, task_instance));
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)
            """;

    private DbSchedulerBurn() {}

    public static void main(String[] arguments) throws Exception {
        int jobs = Integer.parseInt(arguments[1]);
        try (var database = Burn.database(arguments[0])) {
            execute(database, SCHEMA);
            OneTimeTask<Void> noop = Tasks.oneTime("noop").execute((instance, context) -> Burn.call());
            Scheduler scheduler = Scheduler.create(database, noop)
                    .threads(Burn.THREADS)
                    .pollUsingLockAndFetch(1.0, 4.0)
                    .pollingInterval(Duration.ofMillis(100))
                    .build();
            long start = System.nanoTime();
            for (int queued = 0; queued < jobs; queued += BATCH) {
                var batch = new ArrayList<TaskInstance<?>>();
                for (int i = queued; i < Math.min(jobs, queued + BATCH); i++) {
                    batch.add(noop.instance(Integer.toString(i)));
                }
                scheduler.scheduleBatch(batch, Instant.now());
            }
            double submitSeconds = (System.nanoTime() - start) / 1e9;
            scheduler.start();
            Burn.report(jobs, submitSeconds, () -> isEmpty(database));
            scheduler.stop();
        }
    }

    private static boolean isEmpty(DataSource database) {
        try (var connection = database.getConnection();
                var rows = connection.createStatement().executeQuery("select exists (select 1 from scheduled_tasks)")) {
            rows.next();
            return !rows.getBoolean(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
