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
import java.util.stream.Stream;

/** The command line, connected to one gateway. */
public final class Cli {
    /** Runs a command in a terminal, and types the first line of its own standard input when the command asks. */
    private static final String IN_TERMINAL = """
            import os, pty, sys
            typed = sys.stdin.readline().encode()
            child, terminal = pty.fork()
            if child == 0:
                os.execvp(sys.argv[1], sys.argv[1:])
            output = b""
            while True:
                try:
                    part = os.read(terminal, 1024)
                except OSError:
                    break
                if not part:
                    break
                output += part
                if typed and output.endswith(b": "):
                    os.write(terminal, typed)
                    typed = b""
            print(output.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """;

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
        return start(errors, interruptible(home.clientCommand(List.of(arguments))));
    }

    /** A build that a script starts in the background ignores interrupts, which its processes would inherit. */
    private static List<String> interruptible(List<String> command) {
        return Stream.concat(Stream.of("env", "--default-signal=INT"), command.stream())
                .toList();
    }

    private Process start(Path errors, List<String> command) throws IOException {
        var builder =
                new ProcessBuilder(command).directory(home.path().toFile()).redirectError(errors.toFile());
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
        return execute(input, home.clientCommand(List.of(arguments)));
    }

    /** Like {@link #run}, in a terminal where somebody types this line when asked. All output is in one text. */
    public Outcome runInTerminal(String line, String... arguments) {
        List<String> inTerminal = Stream.concat(
                        Stream.of("python3", "-c", IN_TERMINAL), home.clientCommand(List.of(arguments)).stream())
                .toList();
        return execute(line + "\n", inTerminal);
    }

    private Outcome execute(String input, List<String> command) {
        try {
            Path errors = Files.createTempFile("millrace-cli-", ".err");
            Process process = start(errors, command);
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
            throw new IllegalStateException("Interrupted while '" + String.join(" ", command) + "' ran.", e);
        }
    }
}
