package dev.millrace.cli;

import dev.millrace.cli.output.Launcher;
import dev.millrace.scheduler.flow.dialect.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Words for arguments that cannot be parsed: what is wrong with them, and what was probably meant. */
final class UsageError {
    private UsageError() {}

    static String text(ParameterException error, List<String> arguments) {
        if (error instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unmatched(error.getCommandLine(), unmatched.getUnmatched().getFirst(), arguments);
        }
        String message = String.valueOf(error.getMessage());
        return message.endsWith(".") ? message : message + ".";
    }

    /** Says where the usage of the command is. */
    static String hint(ParameterException error) {
        return "See its usage with: " + called(error.getCommandLine()) + " --help";
    }

    private static String unmatched(CommandLine command, String argument, List<String> arguments) {
        boolean isRoot = command.getParent() == null;
        if (argument.startsWith("-") && isRoot) {
            return ordered(arguments)
                    .map(right -> "Options come after the command: " + Launcher.NAME + " " + right)
                    .orElse("The option " + argument + " is unknown, and no command is named.");
        }
        if (argument.startsWith("-")) {
            String name = argument.replaceFirst("=.*", "");
            return "The option " + name + " of " + plain(command) + " is unknown." + meant(name, options(command));
        }
        if (!command.getSubcommands().isEmpty()) {
            return "The command " + plain(command) + " " + argument + " is unknown."
                    + meant(argument, command.getSubcommands().keySet());
        }
        return "The argument " + argument + " of " + plain(command) + " is one too many."
                + " Quote a value that contains spaces.";
    }

    private static String meant(String given, Collection<String> known) {
        return Nearest.to(given, known)
                .map(near -> " Did you mean " + near + "?")
                .orElse("");
    }

    private static List<String> options(CommandLine command) {
        return command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .toList();
    }

    /** The arguments with those before the name of the command behind it; empty if no argument names one. */
    private static Optional<String> ordered(List<String> arguments) {
        return arguments.stream()
                .filter(Commands.BY_NAME::containsKey)
                .findFirst()
                .map(name -> {
                    int at = arguments.indexOf(name);
                    return Stream.concat(
                                    arguments.subList(at, arguments.size()).stream(), arguments.subList(0, at).stream())
                            .collect(Collectors.joining(" "));
                });
    }

    private static String plain(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    private static String called(CommandLine command) {
        return Launcher.NAME + plain(command).substring("millrace".length());
    }
}
