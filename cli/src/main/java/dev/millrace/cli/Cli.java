package dev.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Terminal;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ParseResult;

/** Parses arguments, executes the command they name, and turns what went wrong into a message and an exit code. */
public final class Cli {
    private final Terminal terminal;

    public Cli(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Executes one command and returns its exit code. */
    public int execute(String... args) {
        CommandLine root = new CommandLine(new MillraceCommand(), new TerminalFactory(terminal));
        Commands.add(root, args);
        return root.setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(new PrintWriter(new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(terminal.err(), StandardCharsets.UTF_8), true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColor() ? Ansi.ON : Ansi.OFF))
                .setExecutionStrategy(this::executeOrShowUsage)
                .setExecutionExceptionHandler((failure, command, result) -> report(failure, result))
                .execute(args);
    }

    private int executeOrShowUsage(ParseResult result) {
        ParseResult last = result;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        boolean isGroup = !last.commandSpec().subcommands().isEmpty();
        if (isGroup && !last.isUsageHelpRequested() && !last.isVersionHelpRequested()) {
            last.commandSpec()
                    .commandLine()
                    .usage(last.commandSpec().commandLine().getErr());
            return ExitCode.USAGE.number();
        }
        return new CommandLine.RunLast().execute(result);
    }

    private int report(Exception failure, ParseResult result) {
        boolean wantsJson = Arrays.stream(result.originalArgs().toArray(String[]::new))
                .anyMatch(argument -> argument.toLowerCase(Locale.ROOT).matches("(--output=|-o=?)?json"));
        if (failure instanceof CommandFailure expected) {
            printError(expected.exitCode(), expected.text(), wantsJson);
            return expected.exitCode().number();
        }
        printError(ExitCode.INTERNAL, "Millrace has a defect and could not go on: " + failure, wantsJson);
        failure.printStackTrace(terminal.err());
        return ExitCode.INTERNAL.number();
    }

    private void printError(ExitCode code, String message, boolean wantsJson) {
        if (wantsJson) {
            ObjectNode json = Json.object();
            json.putObject("error")
                    .put("code", code.name().toLowerCase(Locale.ROOT))
                    .put("message", message);
            terminal.err().println(Json.compact(json));
        } else {
            terminal.err().println(terminal.paint().red(message));
        }
    }

    /** Makes commands, which get the terminal where their constructor asks for it. */
    private record TerminalFactory(Terminal terminal) implements IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (var constructor : type.getDeclaredConstructors()) {
                if (Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {Terminal.class})) {
                    constructor.setAccessible(true);
                    return type.cast(constructor.newInstance(terminal));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
