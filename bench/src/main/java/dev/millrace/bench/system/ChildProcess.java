package dev.millrace.bench.system;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that takes part in a workload. Its output goes to {@code NAME.out}, its errors to {@code NAME.log}, below
 * {@code target/children}.
 */
public final class ChildProcess implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(40);

    private final String name;
    private final Process process;
    private final Path output;
    private final Path log;

    private ChildProcess(String name, Process process, Path output, Path log) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.log = log;
    }

    public static ChildProcess start(String name, Path folder, List<String> command, Map<String, String> environment) {
        try {
            Path files = Files.createDirectories(Path.of("target", "children"));
            Path output = files.resolve(name + ".out");
            Path log = files.resolve(name + ".log");
            var builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(log.toFile());
            builder.environment().putAll(environment);
            return new ChildProcess(name, builder.start(), output, log);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start " + name + ".", e);
        }
    }

    /** Starts a class of this program in its own JVM. */
    public static ChildProcess java(String name, Class<?> main, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of("-cp", absolute(System.getProperty("java.class.path")), main.getName()));
        command.addAll(arguments);
        return start(name, Path.of("").toAbsolutePath(), command, Map.of());
    }

    /** Waits until the program ends on its own, and returns its output. */
    public String awaitEnd(Duration limit) throws InterruptedException, IOException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(
                    name + " still runs after " + limit.toSeconds() + " s; its log is " + log + ".");
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    name + " ended with code " + process.exitValue() + "; its log is " + log + ".");
        }
        return output();
    }

    /** The output so far. */
    public String output() throws IOException {
        return Files.readString(output);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** CPU seconds of the program and its descendants. */
    public double cpuSeconds() {
        return CpuTimes.secondsOf(process.pid()) + CpuTimes.secondsOfDescendants(process.pid());
    }

    /** Stops the program and waits for its end. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                List.of(classPath.split(File.pathSeparator, -1)).stream()
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }
}
