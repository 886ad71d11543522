package dev.millrace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Help of a command. Lines break between words only: picocli breaks them at punctuation, too, which tears names of files
 * apart. The commands of the root are listed in groups.
 */
final class Usage extends Help {
    /** Smallest width that picocli lays out. */
    static final int WIDTH_MIN = 55;

    /** Longer lines are hard to read. */
    static final int WIDTH_MAX = 120;

    private static final String INDENT = "  ";
    private static final int GAP = 2;
    /** As if a line had any length. */
    private static final int UNLIMITED = 10_000;

    private final CommandSpec command;

    Usage(CommandSpec command, ColorScheme colors) {
        super(command, colors);
        this.command = command;
    }

    @Override
    public String description(Object... parameters) {
        return wrapped(command.usageMessage().description(), parameters);
    }

    @Override
    public String footer(Object... parameters) {
        return wrapped(command.usageMessage().footer(), parameters);
    }

    @Override
    public Layout createDefaultLayout(
            List<OptionSpec> options, List<PositionalParamSpec> positionals, ColorScheme colors) {
        int longOptions = calcLongOptionColumnWidth(options, positionals, colors);
        return new WordLayout(
                colors,
                TextTable.forDefaultColumns(
                        colors, longOptions, command.usageMessage().width()),
                createDefaultOptionRenderer(),
                createDefaultParameterRenderer());
    }

    @Override
    public String commandList(Map<String, Help> subcommands) {
        int names = subcommands.keySet().stream().mapToInt(String::length).max().orElse(0);
        if (command.parent() != null) {
            return lines(subcommands.keySet().stream(), subcommands, names);
        }
        return Commands.byHeading().entrySet().stream()
                .map(group -> INDENT + colorScheme().text("@|bold " + group.getKey() + "|@") + "\n"
                        + lines(group.getValue().stream(), subcommands, names))
                .collect(Collectors.joining("\n"));
    }

    private String lines(Stream<String> names, Map<String, Help> subcommands, int width) {
        return names.flatMap(name -> Optional.ofNullable(subcommands.get(name)).stream()
                        .map(subcommand -> line(name, subcommand, width)))
                .collect(Collectors.joining());
    }

    private String line(String name, Help subcommand, int width) {
        String indent = command.parent() == null ? INDENT + INDENT : INDENT;
        String begin = indent + colorScheme().commandText(name) + " ".repeat(width - name.length() + GAP);
        int column = indent.length() + width + GAP;
        String[] paragraphs = subcommand.commandSpec().usageMessage().description();
        List<String> rows = words(
                paragraphs.length == 0 ? "" : paragraphs[0],
                command.usageMessage().width() - column);
        return rows.stream().collect(Collectors.joining("\n" + " ".repeat(column), begin, "\n"));
    }

    private String wrapped(String[] paragraphs, Object... parameters) {
        return join(ansi(), UNLIMITED, false, paragraphs, new StringBuilder(), parameters)
                .toString()
                .lines()
                .flatMap(line -> words(line, command.usageMessage().width()).stream())
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    /** Breaks a line between words. An indented line is an example, which stays whole so that it can be pasted. */
    static List<String> words(String line, int width) {
        List<String> lines = new ArrayList<>();
        String rest = line;
        while (rest.length() > width && !rest.startsWith(INDENT)) {
            int end = end(rest, width);
            lines.add(rest.substring(0, end));
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /** Where the first line of a longer text ends. */
    private static int end(String text, int width) {
        int space = text.lastIndexOf(' ', width);
        return space <= 0 ? width : space;
    }

    /** Layout of options and parameters that breaks their descriptions between words. */
    private static final class WordLayout extends Layout {
        WordLayout(ColorScheme colors, TextTable table, IOptionRenderer options, IParameterRenderer parameters) {
            super(colors, table, options, parameters);
        }

        @Override
        public void layout(ArgSpec argument, Text[][] rows) {
            super.layout(argument, Stream.of(rows).flatMap(this::broken).toArray(Text[][]::new));
        }

        /** The row, and further ones for what does not fit into its last cell. */
        private Stream<Text[]> broken(Text[] row) {
            int last = row.length - 1;
            Column column = table.columns()[last];
            int width = column.width - column.indent;
            List<Text[]> rows = new ArrayList<>();
            Text[] cells = row;
            Text rest = row[last];
            while (rest.plainString().length() > width) {
                String text = rest.plainString();
                int end = end(text, width);
                rows.add(with(cells, rest.substring(0, end)));
                rest = rest.substring(text.charAt(end) == ' ' ? end + 1 : end);
                cells = new Text[row.length];
                Arrays.fill(cells, colorScheme.ansi().new Text(0));
            }
            rows.add(with(cells, rest));
            return rows.stream();
        }

        private static Text[] with(Text[] cells, Text last) {
            Text[] changed = cells.clone();
            changed[cells.length - 1] = last;
            return changed;
        }
    }
}
