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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One service of Millrace as a process that can be restarted after its end. Its output is appended to {@code NAME.log}.
 * Not thread-safe.
 */
public final class ServiceProcess implements AutoCloseable {
    /** A scheduler that is told to stop while it starts ends its start first, which takes a minute on a busy machine. */
    private static final Duration STOP_LIMIT = Duration.ofMinutes(3);

    private final String name;
    private final Function<MillraceHome, List<String>> command;
    private final Map<String, String> environment;
    private final Path log;
    private @Nullable Path input;
    private MillraceHome home;
    private @Nullable Process process;

    /**
     * @param home the checkout whose version the process runs
     * @param command the command line of the service in a checkout
     */
    ServiceProcess(
            String name,
            MillraceHome home,
            Function<MillraceHome, List<String>> command,
            Map<String, String> environment,
            Path logFolder) {
        this.name = requireNonNull(name, "name is null");
        this.home = requireNonNull(home, "home is null");
        this.command = requireNonNull(command, "command is null");
        this.environment = Map.copyOf(environment);
        this.log = logFolder.resolve(name + ".log");
    }

    public String name() {
        return name;
    }

    /** Lets the next start read this file as its standard input. */
    void readFrom(Path file) {
        input = file;
    }

    /** Starts the process. Throws if it is running. */
    public void start() {
        if (isAlive()) {
            throw new IllegalStateException(name + " is running already.");
        }
        var builder = new ProcessBuilder(command.apply(home));
        builder.environment()
                .keySet()
                .removeIf(key -> key.startsWith("MILLRACE_") || key.startsWith("PG") || key.equals("DATABASE_URL"));
        builder.environment().put("MILLRACE_HOME", home.path().toString());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (input != null) {
            builder.redirectInput(input.toFile());
        }
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name + ".", e);
        }
    }

    /** Lets the next start run the version of another checkout, as an upgrade of an installation does. */
    public void upgradeTo(MillraceHome next) {
        home = requireNonNull(next, "next is null");
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    public long pid() {
        return running().pid();
    }

    /** Ends the process with SIGKILL, as a crash would, and waits for its end. */
    public void kill() {
        running().destroyForcibly();
        awaitEnd(STOP_LIMIT);
    }

    /** Stops the process with SIGTERM and returns its exit code. */
    public int terminate() {
        signal("TERM");
        return awaitEnd(STOP_LIMIT);
    }

    /** Sends a signal, named without {@code SIG}. */
    public void signal(String signal) {
        Signals.send(signal, pid());
    }

    /** Waits until the process ends on its own and returns its exit code. */
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

    /** All output of the process, over all its starts. */
    public String output() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to end the process in any state, without waiting. */
    void beginClose() {
        if (process != null && process.isAlive()) {
            resume(process);
            process.destroy();
        }
    }

    /** Ends the process in any state. */
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

    /** A stopped process would not receive SIGTERM. A process that is ending needs no signal. */
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
