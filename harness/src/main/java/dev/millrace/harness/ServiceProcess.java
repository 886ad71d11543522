package dev.millrace.harness;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One service of Millrace as a process that can be started again after its end. Its output is appended to {@code NAME.log}. Not
 * thread-safe.
 */
public final class ServiceProcess implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(40);

    private final String name;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private @Nullable Process process;

    ServiceProcess(String name, List<String> command, Map<String, String> environment, Path logFolder) {
        this.name = requireNonNull(name, "name is null");
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.log = logFolder.resolve(name + ".log");
    }

    public String name() {
        return name;
    }

    /** Starts the process; it must not be running. */
    public void start() {
        if (isAlive()) {
            throw new IllegalStateException(name + " is running already.");
        }
        var builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(key -> key.startsWith("MILLRACE_") || key.startsWith("PG") || key.equals("DATABASE_URL"));
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name + ".", e);
        }
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    public long pid() {
        return running().pid();
    }

    /** Ends the process with SIGKILL, as a crash would, and waits until it is gone. */
    public void kill() {
        running().destroyForcibly();
        awaitEnd(STOP_LIMIT);
    }

    /** Asks the process to stop with SIGTERM and returns its exit code. */
    public int terminate() {
        signal("TERM");
        return awaitEnd(STOP_LIMIT);
    }

    /** Sends a signal by its name without {@code SIG}. */
    public void signal(String signal) {
        Signals.send(signal, pid());
    }

    /** Waits until the process ends by itself and returns its exit code. */
    public int awaitEnd(Duration limit) {
        try {
            if (!running().waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(name + " still runs after " + limit.toSeconds() + " s; its log is " + log);
            }
            return running().exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the end of " + name + ".", e);
        }
    }

    /** Everything the process has printed, over all its starts. */
    public String output() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks the process to end, whatever state it is in, without waiting for that. */
    void beginClose() {
        if (process != null && process.isAlive()) {
            resume(process);
            process.destroy();
        }
    }

    /** Ends the process, whatever state it is in. */
    @Override
    public void close() {
        beginClose();
        if (process == null) {
            return;
        }
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** A stopped process would not hear SIGTERM. One that is just ending by itself needs no signal any more. */
    private static void resume(Process ending) {
        try {
            Signals.send("CONT", ending.pid());
        } catch (IllegalStateException gone) {
            if (!ending.onExit().isDone() && ending.toHandle().isAlive()) {
                throw gone;
            }
        }
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException(name + " has not been started.");
        }
        return process;
    }
}
