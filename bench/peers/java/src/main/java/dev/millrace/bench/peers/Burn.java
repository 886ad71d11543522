package dev.millrace.bench.peers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Calls of a no-op job, as counted by the workload {@code burn}. */
final class Burn {
    /** Concurrent jobs; each takes a connection at times. */
    static final int THREADS = 20;

    private static final int POLL_MILLIS = 20;
    private static final AtomicLong CALLS = new AtomicLong();
    private static volatile long firstNanos;

    private Burn() {}

    static HikariDataSource database(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        config.setMaximumPoolSize(THREADS + 10);
        return new HikariDataSource(config);
    }

    /** The no-op job. */
    static void call() {
        if (CALLS.incrementAndGet() == 1) {
            firstNanos = System.nanoTime();
        }
    }

    /** Waits until all jobs have been called and the system has recorded that, then prints one JSON object. */
    static void report(long jobs, double submitSeconds, BooleanSupplier isRecorded) throws InterruptedException {
        while (CALLS.get() < jobs || !isRecorded.getAsBoolean()) {
            Thread.sleep(POLL_MILLIS);
        }
        double seconds = (System.nanoTime() - firstNanos) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "{\"calls\":%d,\"jobs_per_second\":%.3f,\"submitted_per_second\":%.3f}%n",
                CALLS.get(),
                jobs / seconds,
                jobs / submitSeconds);
    }
}
