package dev.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Terminal;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Entry of the command line: parses arguments, executes the command they name, and turns failures into a message and an
 * exit code.
 */
public final class Cli {
    private final Terminal terminal;

    public Cli(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Executes one command and returns its exit code. */
    public int execute(String... args) {
        CommandLine root = new CommandLine(new MillraceCommand(), new TerminalFactory(terminal));
        Commands.add(root, args);
        return root.setHelpFactory(Usage::new)
                .setUsageHelpWidth(Math.clamp(terminal.columns(), Usage.WIDTH_MIN, Usage.WIDTH_MAX))
                .setCaseInsensitiveEnumValuesAllowed(true)
                // @last names a run, not a file with further arguments.
                .setExpandAtFiles(false)
                .setOut(new PrintWriter(new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8), true))
                .setErr(new PrintWriter(new OutputStreamWriter(terminal.err(), StandardCharsets.UTF_8), true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColor() ? Ansi.ON : Ansi.OFF))
                .setExecutionStrategy(this::executeOrShowUsage)
                .setParameterExceptionHandler(this::report)
                .setExecutionExceptionHandler((failure, command, result) -> report(failure, result))
                .execute(args);
    }

    private int executeOrShowUsage(ParseResult result) {
        ParseResult last = result;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        boolean isGroup = !last.commandSpec().subcommands().isEmpty()
                && !(last.commandSpec().userObject() instanceof Callable);
        if (isGroup && !last.isUsageHelpRequested() && !last.isVersionHelpRequested()) {
            last.commandSpec()
                    .commandLine()
                    .usage(last.commandSpec().commandLine().getErr());
            return ExitCode.USAGE.number();
        }
        if (last.isUsageHelpRequested()
                && last.commandSpec().userObject() instanceof ServerHelp command
                && command.hasServerHelp()) {
            CommandLine line = last.commandSpec().commandLine();
            line.usage(line.getOut());
            try {
                return command.showServerHelp();
            } catch (CommandFailure failure) {
                return report(failure, result);
            }
        }
        return new CommandLine.RunLast().execute(result);
    }

    private int report(Exception failure, ParseResult result) {
        boolean wantsJson = wantsJson(result.originalArgs());
        if (failure instanceof CommandFailure expected) {
            printError(expected.exitCode(), expected.text(), wantsJson);
            return expected.exitCode().number();
        }
        printError(ExitCode.INTERNAL, "Millrace failed because of a defect in Millrace itself: " + failure, wantsJson);
        failure.printStackTrace(terminal.err());
        return ExitCode.INTERNAL.number();
    }

    /** Looks at the unparsed arguments, because parsing them may have failed. */
    private static boolean wantsJson(List<String> arguments) {
        return arguments.stream()
                .anyMatch(argument -> argument.toLowerCase(Locale.ROOT).matches("(--output=|-o=?)?json"));
    }

    /** Reports arguments that cannot be parsed: in a line that stays in view, and without the usage of the command. */
    private int report(ParameterException error, String... arguments) {
        boolean wantsJson = wantsJson(List.of(arguments));
        printError(ExitCode.USAGE, UsageError.text(error, List.of(arguments)), wantsJson);
        if (!wantsJson) {
            terminal.err().println(UsageError.hint(error));
        }
        return ExitCode.USAGE.number();
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

    /** Creates commands, and passes the terminal to constructors that ask for it. */
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
