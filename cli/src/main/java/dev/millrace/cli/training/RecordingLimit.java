package dev.millrace.cli.training;

import java.time.Duration;

/**
 * Ends a recording that does not end by itself, because the launcher waits for it: a job waits without end for a program
 * that this machine does not have.
 */
final class RecordingLimit {
    /** Time for an orderly stop of the services. */
    private static final Duration STOP = Duration.ofSeconds(30);

    private RecordingLimit() {}

    /** Starts to count. After this time the process says why, stops its services and exits with status 1. */
    static void start(Duration limit) {
        daemon(() -> {
            Thread.sleep(limit);
            System.err.println("The recording of a cache for fast starts has not ended within " + limit.toSeconds()
                    + " s and is given up. Most likely a script found no interpreter: check that Python (python3, or"
                    + " MILLRACE_PYTHON) and Deno (worker-runtime-deno/install.sh, or MILLRACE_DENO) can be started.");
            daemon(() -> {
                Thread.sleep(STOP);
                Runtime.getRuntime().halt(1);
            });
            System.exit(1);
        });
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "recording-limit");
        thread.setDaemon(true);
        thread.start();
    }
}
