package dev.millrace.bench.workload;

import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.bench.system.Installation;
import dev.millrace.harness.ClusterPlan;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One run of the benchmarks: its options, its database server, and the ceiling with which its figures are compared. */
public final class Bench implements AutoCloseable {
    private static final int CEILING_SECONDS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final BenchOptions options;
    private final DatabaseServer server;
    private final long start = System.nanoTime();
    private @Nullable Ceiling ceiling;

    private Bench(BenchOptions options, DatabaseServer server) {
        this.options = options;
        this.server = server;
    }

    public static Bench open(BenchOptions options) throws SQLException {
        return new Bench(options, DatabaseServer.open(options.database().orElse(null)));
    }

    public BenchOptions options() {
        return options;
    }

    public DatabaseServer server() {
        return server;
    }

    public int rounds(int standard) {
        return options.rounds().orElse(standard);
    }

    public Duration duration(int standardSeconds) {
        return Duration.ofSeconds(options.seconds().orElse(standardSeconds));
    }

    public int size(int standard) {
        return options.size().orElse(standard);
    }

    /** Starts Millrace on an empty database. */
    public Installation install(String name, ClusterPlan plan) {
        say("starting Millrace");
        return Installation.start(server, name, plan, options.protection());
    }

    /** Prints progress. */
    public void say(String message) {
        System.err.printf(Locale.ROOT, "%7.1f s  %s%n", (System.nanoTime() - start) / NANOS_PER_SECOND, message);
    }

    /** Keeps the ceiling that a workload has measured for the rest of the run. */
    void keep(Ceiling measured) {
        ceiling = measured;
    }

    /** The ceiling of this run, measured on the first call. */
    private Ceiling ceiling() throws Exception {
        if (ceiling == null) {
            ceiling = PgCeiling.measure(this, Duration.ofSeconds(CEILING_SECONDS));
        }
        return ceiling;
    }

    /** Adds the ratio of a rate to what Postgres can do; 1 is as fast as without Millrace. */
    Figures compareFusedRate(Figures figures, double perSecond) throws Exception {
        return options.ceiling() ? figures.add("pg_ratio", perSecond / ceiling().fused()) : figures;
    }

    /** Like {@link #compareFusedRate}, for jobs that are queued first and taken in batches. */
    Figures compareBatchedRate(Figures figures, double perSecond) throws Exception {
        return options.ceiling() ? figures.add("pg_ratio", perSecond / ceiling().batched()) : figures;
    }

    /** Like {@link #compareFusedRate}, for the time of a number of sequential steps. */
    Figures compareTime(Figures figures, int steps, double millis) throws Exception {
        return options.ceiling() ? figures.add("pg_ratio", steps * ceiling().stepMillis() / millis) : figures;
    }

    @Override
    public void close() {
        server.close();
    }
}
