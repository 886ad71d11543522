package dev.millrace.e2e.support;

import dev.millrace.harness.MillraceHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The command line, connected to one gateway. */
public final class Cli {
    /** Disables the JVM's own messages, which are not output of the command. */
    private static final List<String> QUICK_START = List.of("-Xmx128m", "-Xlog:disable");

    private final MillraceHome home = MillraceHome.find();
    private final URI gateway;

    public Cli(URI gateway) {
        this.gateway = gateway;
    }

    /** Result of a command. */
    public record Outcome(int exitCode, String output, String errors) {}

    /** Starts {@code millrace ARGUMENTS} in the checkout's root; standard error goes to a file. */
    public Process start(Path errors, String... arguments) throws IOException {
        var builder = new ProcessBuilder(home.command(QUICK_START, List.of(arguments)))
                .directory(home.path().toFile())
                .redirectError(errors.toFile());
        builder.environment().put("MILLRACE_SERVER", gateway.toString());
        builder.environment().put("MILLRACE_HOME", home.path().toString());
        return builder.start();
    }

    /** Runs {@code millrace ARGUMENTS} in the checkout's root to its end. */
    public Outcome run(String... arguments) {
        try {
            Path errors = Files.createTempFile("millrace-cli-", ".err");
            Process process = start(errors, arguments);
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
