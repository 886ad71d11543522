package dev.millrace.e2e.support;

import dev.millrace.harness.MillraceHome;
import dev.millrace.harness.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program that uses the Python or npm package where {@code package.sh} has installed it, or the jars for Java programs,
 * and nothing else of ours.
 */
public final class PythonProgram implements AutoCloseable {
    private static final Path HOME = MillraceHome.find().path();
    private static final Path PYTHON = HOME.resolve("worker-runtime-python/target/installed/bin/python");
    private static final Path NODE_PROGRAMS = HOME.resolve("worker-runtime-deno/sdk/target/installed");
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Duration END_LIMIT = Duration.ofMinutes(1);

    private final Process process;
    private final BufferedReader output;
    private final Path errors;

    private PythonProgram(Process process, Path errors) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
        this.errors = errors;
    }

    /**
     * Starts a program.
     *
     * @param variables environment variables; the process has no others that begin with {@code MILLRACE_}
     * @param file the program, by its path in the checkout
     */
    public static PythonProgram start(Map<String, String> variables, String file, String... arguments) {
        var command = new ArrayList<>(List.of(
                packaged(PYTHON, "worker-runtime-python/package.sh"),
                "-u",
                HOME.resolve(file).toString()));
        command.addAll(List.of(arguments));
        return start(variables, command);
    }

    /**
     * Starts a program that uses the npm package.
     *
     * @param target address of the scheduler
     * @param file the program, as {@code package.sh} names it
     */
    public static PythonProgram startNode(String target, String file, String... arguments) {
        var command = new ArrayList<>(
                List.of("node", packaged(NODE_PROGRAMS.resolve(file), "worker-runtime-deno/sdk/package.sh")));
        command.addAll(List.of(arguments));
        return start(Map.of("MILLRACE_SCHEDULER_TARGET", target), command);
    }

    /**
     * Starts a program that uses the client and the worker library for Java.
     *
     * @param target address of the scheduler
     * @param arguments source files, the one with {@code main} first; Java compiles them itself
     */
    public static PythonProgram startJava(String target, String... arguments) {
        var command = new ArrayList<>(List.of(
                JAVA.toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                javaLibraries()));
        command.addAll(List.of(arguments));
        return start(Map.of("MILLRACE_SCHEDULER_TARGET", target), command);
    }

    /** The path of what a script of the checkout installs, as a build without {@code -Pquick} does before these tests. */
    private static String packaged(Path installed, String script) {
        if (!Files.exists(installed)) {
            throw new IllegalStateException(installed + " is missing: run " + HOME.resolve(script) + ".");
        }
        return installed.toString();
    }

    /** Class path of the client, the worker library and what they need; without a logger, whose lines nobody asked for. */
    private static String javaLibraries() {
        try (Stream<Path> libraries = Files.list(HOME.resolve("cli/target/lib"));
                Stream<Path> client = Files.list(HOME.resolve("client-java/target"))) {
            return Stream.of(libraries, client)
                    .flatMap(jars -> jars)
                    .map(Path::toString)
                    .filter(jar -> jar.endsWith(".jar") && !jar.contains("logback"))
                    .collect(Collectors.joining(":"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PythonProgram start(Map<String, String> variables, List<String> command) {
        try {
            Path errors = Files.createTempFile("millrace-program-", ".err");
            var builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_") || name.startsWith("PYTHON"));
            builder.environment().put("XDG_CONFIG_HOME", "/nonexistent");
            builder.environment().putAll(variables);
            return new PythonProgram(builder.start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a program to its end and returns its output. Throws if it fails. */
    public static String run(Map<String, String> variables, String file, String... arguments) {
        try (PythonProgram program = start(variables, file, arguments)) {
            return program.awaitSuccess();
        }
    }

    /** Waits for the next line of the output. Throws if the program ends before. */
    public String awaitLine() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new AssertionError("The program has ended with " + awaitEnd() + ": " + errors());
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end of the program and returns the rest of its output. Throws if it fails. */
    public String awaitSuccess() {
        String rest = String.join("\n", output.lines().toList());
        int exitCode = awaitEnd();
        if (exitCode != 0) {
            throw new AssertionError("The program has ended with " + exitCode + ": " + rest + "\n" + errors());
        }
        return rest;
    }

    /** Writes a line to the standard input of the program. */
    public void writeLine(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGTERM, and leaves the streams open. */
    public void terminate() {
        Signals.send("TERM", process.pid());
    }

    /** Waits for the end of the program and returns its exit code. */
    public int awaitEnd() {
        try {
            if (!process.waitFor(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("The program still runs: " + errors());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a program.", e);
        }
    }

    /** What the program has written to its standard error. */
    public String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
