package dev.millrace.e2e.support;

import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The command line, connected to one gateway. */
public final class Cli {
    /** Disables the JVM's own messages, which are not output of the command. */
    private static final List<String> QUICK_START = List.of("-Xmx128m", "-Xlog:disable");

    private final MillraceHome home = MillraceHome.find();
    private final Map<String, String> environment;

    public Cli(URI gateway) {
        this(Map.of("MILLRACE_SERVER", gateway.toString()));
    }

    /** A command line with these environment variables, which name its gateway or its contexts. */
    public Cli(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Result of a command. */
    public record Outcome(int exitCode, String output, String errors) {}

    /** Starts {@code millrace ARGUMENTS} in the checkout's root; standard error goes to a file. */
    public Process start(Path errors, String... arguments) throws IOException {
        var builder = new ProcessBuilder(home.command(QUICK_START, List.of(arguments)))
                .directory(home.path().toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("MILLRACE_HOME", home.path().toString());
        return builder.start();
    }

    /** Runs {@code millrace ARGUMENTS} in the checkout's root to its end. */
    public Outcome run(String... arguments) {
        return runWith("", arguments);
    }

    /** Like {@link #run}, with this standard input. */
    public Outcome runWith(String input, String... arguments) {
        try {
            Path errors = Files.createTempFile("millrace-cli-", ".err");
            Process process = start(errors, arguments);
            try (OutputStream standardInput = process.getOutputStream()) {
                standardInput.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            String complaints = Files.readString(errors);
            Files.delete(errors);
            return new Outcome(exitCode, output, complaints);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while 'millrace " + String.join(" ", arguments) + "' ran.", e);
        }
    }
}
