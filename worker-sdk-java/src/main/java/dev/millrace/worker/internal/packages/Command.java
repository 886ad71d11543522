package dev.millrace.worker.internal.packages;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs programs to their end, or to a limit of time. */
public final class Command {
    /** Longest time of a program: packages may have to be compiled, and a build may never end. */
    static final Duration TIME_MAX = Duration.ofMinutes(15);

    /** Exit code of a program that was killed because its time was over. */
    static final int TIMED_OUT = -1;

    private static final Logger logger = LoggerFactory.getLogger(Command.class);

    private Command() {}

    /**
     * How programs are started.
     *
     * @param variables all variables of a program
     * @param beginning of the command line, which ends the program with the worker
     */
    public record Environment(Map<String, String> variables, List<String> beginning) {
        public Environment {
            variables = Map.copyOf(variables);
            beginning = List.copyOf(beginning);
        }
    }

    /** How a program ended, and what it wrote. */
    public record Result(int exitCode, String output, String errors) {
        /** Why it failed, in its own words if it has any: {@code uv says: …}. */
        public String reason(String name) {
            return errors.isBlank()
                    ? name + " ended with code " + exitCode + " and said nothing."
                    : name + " says: " + errors;
        }
    }

    /**
     * Runs a program and waits for its end. Kills it, and the programs that it has started, once its time is over.
     *
     * @throws IOException if it cannot be started
     */
    public static Result run(List<String> command, Environment environment, byte[] input) throws IOException {
        return run(command, environment, input, TIME_MAX);
    }

    /**
     * Runs a program with a limit of time of its own.
     *
     * @throws IOException if it cannot be started
     */
    public static Result run(List<String> command, Environment environment, byte[] input, Duration timeMax)
            throws IOException {
        Path output = Files.createTempFile("millrace-", ".out");
        Path errors = Files.createTempFile("millrace-", ".err");
        try {
            List<String> line = new ArrayList<>(environment.beginning());
            line.addAll(command);
            var builder =
                    new ProcessBuilder(line).redirectOutput(output.toFile()).redirectError(errors.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment.variables());
            return await(builder.start(), input, timeMax, output, errors);
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }

    private static Result await(Process process, byte[] input, Duration timeMax, Path output, Path errors)
            throws IOException {
        try {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input);
            } catch (IOException closed) {
                logger.debug("A program did not read its input to the end; its errors say why.", closed);
            }
            if (!process.waitFor(timeMax.toMillis(), TimeUnit.MILLISECONDS)) {
                kill(process);
                return new Result(TIMED_OUT, "", "it has not ended within " + timeMax.toSeconds() + " s");
            }
            return new Result(
                    process.exitValue(),
                    Files.readString(output),
                    Files.readString(errors).strip());
        } catch (InterruptedException e) {
            kill(process);
            Thread.currentThread().interrupt();
            throw new IOException("the job was canceled, or the worker is stopping", e);
        }
    }

    private static void kill(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        started.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        started.forEach(one -> one.onExit().join());
    }
}
