package dev.millrace.cli.training;

import java.time.Duration;

/**
 * Ends a recording that does not end by itself, because the launcher waits for it: a job waits without end for a program
 * that this machine does not have.
 */
final class RecordingLimit {
    private RecordingLimit() {}

    /** Starts to count. After this time the process says why and ends with status 1. Its database ends with it. */
    static void start(Duration limit) {
        Thread thread = new Thread(
                () -> {
                    try {
                        Thread.sleep(limit);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                    System.err.println("The recording of a cache for fast starts has not ended within "
                            + limit.toSeconds() + " s and is given up. Most likely a script found no interpreter: check"
                            + " that Python (python3, or MILLRACE_PYTHON) and Deno (worker-runtime-deno/install.sh, or"
                            + " MILLRACE_DENO) can be started.");
                    // An orderly exit would have the status 0, because the services take it for a signal to stop.
                    Runtime.getRuntime().halt(1);
                },
                "recording-limit");
        thread.setDaemon(true);
        thread.start();
    }
}
