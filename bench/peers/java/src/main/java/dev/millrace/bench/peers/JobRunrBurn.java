package dev.millrace.bench.peers;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import java.time.Duration;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.BackgroundJob;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/**
 * {@code JobRunrBurn JDBC_URL JOBS}: JobRunr's open-source edition with its shortest poll interval, and its own choice
 * of the number of workers.
 */
public final class JobRunrBurn {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

    private JobRunrBurn() {}

    public static void main(String[] arguments) throws Exception {
        int jobs = Integer.parseInt(arguments[1]);
        try (var database = Burn.database(arguments[0])) {
            var storage = new PostgresStorageProvider(database);
            JobRunr.configure().useStorageProvider(storage).initialize();
            long start = System.nanoTime();
            BackgroundJob.enqueue(IntStream.range(0, jobs).boxed(), n -> noop(n));
            double submitSeconds = (System.nanoTime() - start) / 1e9;
            JobRunr.configure()
                    .useStorageProvider(storage)
                    .useBackgroundJobServer(usingStandardBackgroundJobServerConfiguration()
                            .andPollInterval(POLL_INTERVAL))
                    .initialize();
            Burn.report(jobs, submitSeconds, () -> storage.getJobStats().getSucceeded() >= jobs);
            JobRunr.destroy();
        }
    }

    public static void noop(int n) {
        Burn.call();
    }
}
