package dev.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Map;

/** Runs the command line inside the test, with streams that are not a terminal. */
public final class CliRunner {
    private static final int COLUMNS = 80;

    private CliRunner() {}

    /** Result of a command. */
    public record Outcome(int exitCode, String output, String errors) {}

    /** Runs a command without standard input and environment variables. */
    public static Outcome run(String... arguments) {
        return run(Map.of(), "", arguments);
    }

    public static Outcome run(Map<String, String> environment, String input, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = Terminal.over(out, err, 0, COLUMNS, false)
                .with(new ByteArrayInputStream(input.getBytes(UTF_8)), environment);
        int exitCode = new Cli(terminal).execute(arguments);
        return new Outcome(exitCode, out.toString(UTF_8), err.toString(UTF_8));
    }
}
