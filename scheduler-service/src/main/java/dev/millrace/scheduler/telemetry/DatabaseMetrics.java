package dev.millrace.scheduler.telemetry;

import dev.millrace.metrics.LabelBound;
import dev.millrace.metrics.Metrics;
import dev.millrace.metrics.Points;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.JobState;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the whole database: the queue, the tables and the server's connections. Whoever reads the metrics makes a
 * loop look whether the present values are too old; while nobody reads them, nothing is asked. All schedulers show the
 * same values, so sums over schedulers are wrong: take the maximum. Thread-safe.
 */
final class DatabaseMetrics implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DatabaseMetrics.class);
    /** Age from which the values are read anew. */
    private static final Duration AGE = Duration.ofSeconds(10);
    /** How long a reader waits for values that are read anew. */
    private static final Duration PATIENCE = Duration.ofMillis(500);
    /** Age from which the values are no longer shown. */
    private static final Duration AGE_MAX = Duration.ofMinutes(2);
    /** Values are read anew at most for one part in so many of the time. */
    private static final int COST_SHARE = 50;
    /** Age from which the values are read anew if reading them fails or takes long. */
    private static final Duration AGE_SLOW_MAX = Duration.ofMinutes(1);
    /** The loop is woken by readers; without them, it has nothing to do. */
    private static final Duration IDLE = Duration.ofHours(1);

    private final SnapshotStore store;
    private final TagLabel tags;
    private final Duration patience;
    private final Loop loop = Loop.of("metric-snapshots", this::refresh);
    private volatile Values values = Values.none();
    private Duration age = AGE;

    /**
     * What was read at a time.
     *
     * @param replaced open once the next values are there, or it is known that nobody should wait for them
     */
    private record Values(List<SnapshotRow> rows, long readNanos, CountDownLatch replaced) {
        static Values of(List<SnapshotRow> rows) {
            return new Values(rows, System.nanoTime(), new CountDownLatch(1));
        }

        static Values none() {
            return new Values(List.of(), System.nanoTime() - AGE_MAX.toNanos(), new CountDownLatch(1));
        }

        boolean isOlderThan(Duration time) {
            return System.nanoTime() - readNanos >= time.toNanos();
        }

        /** Waits for the next values. If they take long, only the first of those who wait waits so long. */
        void awaitNext(Duration patience) {
            try {
                if (!replaced.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                    replaced.countDown();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private DatabaseMetrics(SnapshotStore store, TagLabel tags, Duration patience) {
        this.store = store;
        this.tags = tags;
        this.patience = patience;
    }

    static DatabaseMetrics start(Metrics metrics, Database database, TagLabel tags) {
        return start(metrics, database, tags, PATIENCE);
    }

    /** @param patience how long a reader waits for values that are read anew */
    static DatabaseMetrics start(Metrics metrics, Database database, TagLabel tags, Duration patience) {
        DatabaseMetrics snapshots = new DatabaseMetrics(new SnapshotStore(database), tags, patience);
        snapshots.define(metrics);
        snapshots.loop.start();
        return snapshots;
    }

    private void define(Metrics metrics) {
        List<String> table = List.of("table");
        metrics.gauges(
                "millrace_queue_jobs",
                "Live jobs, by tag and state",
                List.of("tag", "state"),
                points -> byTag("jobs", Double::sum, points, true));
        metrics.gauges(
                "millrace_queue_oldest_job_age_seconds",
                "Age of the oldest job that waits for a worker",
                List.of("tag"),
                points -> byTag("oldest", Math::max, points, false));
        metrics.gauges(
                "millrace_database_table_size_bytes",
                "Size of a table with its partitions and indexes",
                table,
                points -> show("bytes", points));
        metrics.gauges(
                "millrace_database_table_dead_rows",
                "Rows of a table that wait for vacuum",
                table,
                points -> show("dead_rows", points));
        metrics.gauges(
                "millrace_database_table_live_rows",
                "Rows of a table, as Postgres estimates them",
                table,
                points -> show("live_rows", points));
        metrics.gauges(
                "millrace_database_server_connections",
                "Connections of all clients to the Postgres server",
                List.of(),
                points -> show("connections", points));
        metrics.gauges(
                "millrace_database_server_connections_max",
                "Connections that the Postgres server allows",
                List.of(),
                points -> show("connections_max", points));
        metrics.gauges(
                "millrace_database_oldest_transaction_age_seconds",
                "Age of the oldest open transaction in the database: vacuum cannot clean up behind it",
                List.of(),
                points -> show("oldest_transaction", points));
        triggers(metrics);
    }

    private void triggers(Metrics metrics) {
        metrics.gauges(
                "millrace_triggers",
                "Triggers, by kind and state",
                List.of("kind", "state"),
                points -> show("triggers", points));
        metrics.gauges(
                "millrace_trigger_starts_pending",
                "Occurrences whose runs are yet to be accepted",
                List.of("kind"),
                points -> show("starts_pending", points));
        metrics.gauges(
                "millrace_schedule_lag_seconds",
                "Time for which the schedule that is due for longest has been due",
                List.of(),
                points -> show("schedule_lag", points));
        metrics.gauges(
                "millrace_alert_deliveries",
                "Messages of alerts that wait or were given up",
                List.of("state"),
                points -> show("deliveries", points));
        metrics.gauges(
                "millrace_event_reader_lag_seconds",
                "Age of the oldest event that an alert, a topic of Kafka or a trigger has not got",
                List.of("reader"),
                points -> show("reader_lag", points));
    }

    /** The values, if they are not too old; makes the loop read them anew, and waits for it a moment if they are old. */
    private List<SnapshotRow> present() {
        Values before = values;
        loop.wake();
        if (before.isOlderThan(AGE)) {
            before.awaitNext(patience);
        }
        Values now = values;
        return now.isOlderThan(AGE_MAX) ? List.of() : now.rows;
    }

    private void show(String metric, Points points) {
        for (SnapshotRow row : present()) {
            if (row.metric().equals(metric)) {
                points.add(row.value(), row.labels().toArray(String[]::new));
            }
        }
    }

    private void byTag(String metric, BinaryOperator<Double> merge, Points points, boolean hasState) {
        TreeMap<String, TreeMap<String, Double>> merged = new TreeMap<>();
        for (SnapshotRow row : present()) {
            if (row.metric().equals(metric)) {
                merged.computeIfAbsent(tags.of(row.labels().getFirst()), _ -> new TreeMap<>())
                        .merge(hasState ? state(row.labels().getLast()) : "", row.value(), merge);
            }
        }
        merged.forEach((tag, states) -> states.forEach((state, value) -> {
            if (hasState) {
                points.add(value, tag, state);
            } else {
                points.add(value, tag);
            }
        }));
    }

    private static String state(String code) {
        for (JobState state : JobState.values()) {
            if (Short.toString(state.code()).equals(code)) {
                return state.name().toLowerCase(Locale.ROOT);
            }
        }
        return LabelBound.OTHER;
    }

    private Duration refresh() {
        Values before = values;
        if (!before.isOlderThan(AGE.dividedBy(2))) {
            return IDLE;
        }
        long began = System.nanoTime();
        try {
            List<SnapshotRow> rows = store.refresh(age, AGE_MAX);
            long took = System.nanoTime() - began;
            values = Values.of(rows);
            Duration affordable = Duration.ofNanos(took * COST_SHARE);
            age = affordable.compareTo(AGE) < 0 ? AGE : least(affordable, AGE_SLOW_MAX);
        } catch (MillraceException unavailable) {
            age = AGE_SLOW_MAX;
            log.atDebug().setCause(unavailable).log("The metrics of the database cannot be read");
        } finally {
            before.replaced.countDown();
        }
        return IDLE;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public void close() {
        loop.close();
    }
}
