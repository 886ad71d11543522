package dev.millrace.cli;

import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;

/** Names of options and parameters for fields of requests, so that errors name what people have typed. */
final class OptionNames {
    private static final String INPUT = "run.input.";

    private OptionNames() {}

    /**
     * {@code --catch-up} for {@code catch_up}, {@code --cron} for {@code cron[0]}, {@code PATH} for {@code path}, {@code
     * --input} for all parts of the input of a run.
     */
    static String of(CommandSpec command, String field) {
        if (field.startsWith(INPUT)) {
            return of(command, "input");
        }
        if (field.equals("page_size")) {
            return of(command, "limit");
        }
        String name = field.substring(field.lastIndexOf('.') + 1).replaceFirst("\\[[0-9]+]$", "");
        String option = "--" + name.replace('_', '-');
        if (command.findOption(option) != null) {
            return option;
        }
        String label = name.toUpperCase(Locale.ROOT);
        return command.positionalParameters().stream()
                        .anyMatch(parameter -> parameter.paramLabel().equals(label))
                ? label
                : field;
    }
}
