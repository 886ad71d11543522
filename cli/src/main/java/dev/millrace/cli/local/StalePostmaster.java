package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stops a Postgres that a killed process left behind on a data folder. The caller holds the folder's lock, so no living
 * process owns that Postgres.
 */
final class StalePostmaster {
    private static final String PID_FILE = "postmaster.pid";
    /** Index of the line with the port. */
    private static final int PORT_LINE = 3;

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    private StalePostmaster() {}

    static void stop(Path data) {
        Optional<ProcessHandle> postmaster = find(data);
        if (postmaster.isEmpty()) {
            return;
        }
        try {
            interrupt(postmaster.get());
            postmaster.get().onExit().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | IOException e) {
            throw new CommandFailure(
                    ExitCode.START_FAILED,
                    "A Postgres that an earlier '" + Launcher.NAME + " dev' left behind (process "
                            + postmaster.get().pid() + ") does not stop. End it with: kill -QUIT "
                            + postmaster.get().pid(),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.INTERRUPTED, "The start was interrupted.", e);
        }
    }

    /** The process that the folder's {@code postmaster.pid} names, if it still runs and is a Postgres. */
    static Optional<ProcessHandle> find(Path data) {
        try {
            List<String> lines = Files.readAllLines(data.resolve(PID_FILE));
            return ProcessHandle.of(Long.parseLong(lines.getFirst().strip()))
                    .filter(process -> process.info().command().orElse("").endsWith("postgres"));
        } catch (IOException | NumberFormatException | java.util.NoSuchElementException none) {
            return Optional.empty();
        }
    }

    /** The port of the Postgres that runs on the folder, if one does. */
    static Optional<Integer> port(Path data) {
        if (find(data).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Integer.valueOf(
                    Files.readAllLines(data.resolve(PID_FILE)).get(PORT_LINE).strip()));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException starting) {
            return Optional.empty();
        }
    }

    /**
     * Sends SIGINT, Postgres's fast shutdown, which ends its connections. SIGTERM, which Java could send, waits for
     * them.
     */
    private static void interrupt(ProcessHandle process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                .start()
                .waitFor();
    }
}
