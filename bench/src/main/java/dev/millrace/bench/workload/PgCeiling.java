package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.harness.Postgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Rates of Postgres itself with the work of a queue, without Millrace: the ceiling for every other figure. */
public final class PgCeiling implements Workload {
    private static final int SECONDS = 5;
    private static final int ROW_CONNECTIONS = 16;
    private static final int BATCH_CONNECTIONS = 2;
    private static final int BATCH_SIZE = 100;
    private static final int FUSED_BATCH_SIZE = 200;

    private static final String SCHEMA = """
            create table ceiling_queue (
                id bigint generated always as identity primary key, leased boolean not null default false, input json not null
            ) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
            create index on ceiling_queue (id) where not leased;
            create table ceiling_history (id bigint primary key, input json not null, result json not null, ended_at timestamptz not null)
            """;
    private static final String INSERT =
            "insert into ceiling_queue (input) select '{\"n\":10}'::json from generate_series(1, ?)";
    private static final String CLAIM = """
            update ceiling_queue set leased = true
            where id in (select id from ceiling_queue where not leased order by id for update skip locked limit ?)
            returning id
            """;
    private static final String COMPLETE = """
            with done as (delete from ceiling_queue where id = any (?) and leased returning id, input)
            insert into ceiling_history select id, input, '55'::json, now() from done
            """;
    private static final String FUSED = """
            with done as (delete from ceiling_queue where id = any (?) and leased returning id, input),
                 recorded as (insert into ceiling_history select id, input, '55'::json, now() from done returning id)
            insert into ceiling_queue (leased, input) select true, '{"n":10}'::json from recorded returning id
            """;

    @Override
    public String name() {
        return "pg-ceiling";
    }

    @Override
    public String description() {
        return "raw SQL without Millrace: insert, claim with SKIP LOCKED, complete into history";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        Ceiling ceiling = measure(bench, bench.duration(SECONDS));
        bench.keep(ceiling);
        return ceiling.figures();
    }

    static Ceiling measure(Bench bench, Duration duration) throws Exception {
        bench.say("pg-ceiling: what Postgres reaches without Millrace, 4 times " + duration.toSeconds() + " s");
        return new Ceiling(
                measure(bench, ROW_CONNECTIONS, connection -> cycles(connection, 1, duration)),
                measure(bench, BATCH_CONNECTIONS, connection -> cycles(connection, BATCH_SIZE, duration)),
                measure(bench, 1, connection -> fusedSteps(connection, FUSED_BATCH_SIZE, duration)),
                measure(bench, 1, connection -> fusedSteps(connection, 1, duration)));
    }

    /** Work on one connection for the duration; returns the number of completed jobs. */
    private interface Work {
        long run(Connection connection) throws SQLException;
    }

    private static double measure(Bench bench, int connections, Work work) throws Exception {
        try (Postgres postgres = bench.server().createDatabase();
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            try (Connection connection = postgres.connect()) {
                connection.createStatement().execute(SCHEMA);
            }
            var tasks = new ArrayList<Callable<Long>>();
            for (int i = 0; i < connections; i++) {
                tasks.add(() -> {
                    try (Connection connection = postgres.connect()) {
                        return work.run(connection);
                    }
                });
            }
            long start = System.nanoTime();
            long completed = 0;
            for (Future<Long> task : executor.invokeAll(tasks)) {
                completed += task.get();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            try (Connection connection = postgres.connect();
                    var rows = connection.createStatement().executeQuery("select count(*) from ceiling_history")) {
                rows.next();
                Check.equal("the number of recorded jobs", completed, rows.getLong(1));
            }
            return completed / seconds;
        }
    }

    /** Inserts, claims and completes batches, each in its own transaction. */
    private static long cycles(Connection connection, int size, Duration duration) throws SQLException {
        long end = System.nanoTime() + duration.toNanos();
        long completed = 0;
        try (var insert = connection.prepareStatement(INSERT);
                var claim = connection.prepareStatement(CLAIM);
                var complete = connection.prepareStatement(COMPLETE)) {
            while (System.nanoTime() - end < 0) {
                insert.setInt(1, size);
                insert.executeUpdate();
                claim.setInt(1, size);
                List<Long> ids = ids(claim.executeQuery());
                complete.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
                Check.equal("the number of jobs completed", ids.size(), complete.executeUpdate());
                completed += ids.size();
            }
        }
        return completed;
    }

    /** Completes a batch and inserts its successors as leased, in one statement. */
    private static long fusedSteps(Connection connection, int size, Duration duration) throws SQLException {
        long end = System.nanoTime() + duration.toNanos();
        long completed = 0;
        try (var insert = connection.prepareStatement(
                        "insert into ceiling_queue (leased, input) select true, '{}'::json from generate_series(1, ?) returning id");
                var fused = connection.prepareStatement(FUSED)) {
            insert.setInt(1, size);
            List<Long> ids = ids(insert.executeQuery());
            while (System.nanoTime() - end < 0) {
                fused.setArray(1, connection.createArrayOf("bigint", ids.toArray()));
                ids = ids(fused.executeQuery());
                Check.equal("the number of successors", size, ids.size());
                completed += ids.size();
            }
        }
        return completed;
    }

    private static List<Long> ids(ResultSet rows) throws SQLException {
        var ids = new ArrayList<Long>();
        try (rows) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
