package dev.millrace.cli.definition;

import static java.util.Objects.requireNonNull;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Says which files of a folder are not deployed, in the patterns of {@code .gitignore}: {@code *}, {@code ?}, {@code [a-z]} and
 * {@code **}; a slash within a pattern ties it to the folder of the file, one at its end means folders alone, and {@code !}
 * takes back. What is in a folder that is left out cannot be taken back.
 */
final class IgnoreFile {
    static final String NAME = ".millraceignore";

    private record Rule(Pattern pattern, boolean isForFolders, boolean takesBack) {
        Rule {
            requireNonNull(pattern, "pattern");
        }
    }

    private final Path root;
    private final List<Rule> rules;

    private IgnoreFile(Path root, List<Rule> rules) {
        this.root = root;
        this.rules = List.copyOf(rules);
    }

    /** Reads the file in a folder; without one, nothing is left out. */
    static IgnoreFile of(Path folder) {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            return new IgnoreFile(folder, List.of());
        }
        try {
            return new IgnoreFile(
                    folder,
                    Files.readAllLines(file).stream()
                            .flatMap(line -> rule(file, line).stream())
                            .toList());
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.INVALID, "The file " + file + " cannot be read: " + e + ". Write it in UTF-8.", e);
        }
    }

    /** Whether a file or folder is left out, given that the folders above it are not. */
    boolean leavesOut(Path path, boolean isFolder) {
        String relative = root.relativize(path).toString().replace('\\', '/');
        boolean isLeftOut = false;
        for (Rule rule : rules) {
            if ((isFolder || !rule.isForFolders())
                    && rule.pattern().matcher(relative).matches()) {
                isLeftOut = !rule.takesBack();
            }
        }
        return isLeftOut;
    }

    private static Optional<Rule> rule(Path file, String line) {
        String text = line.stripTrailing();
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        boolean takesBack = text.startsWith("!");
        text = takesBack ? text.substring(1) : text;
        boolean isForFolders = text.endsWith("/");
        text = isForFolders ? text.substring(0, text.length() - 1) : text;
        boolean isTied = text.contains("/");
        text = text.startsWith("/") ? text.substring(1) : text;
        try {
            String regex = (isTied ? "" : "(?:.*/)?") + regex(text);
            return Optional.of(new Rule(Pattern.compile(regex, Pattern.DOTALL), isForFolders, takesBack));
        } catch (PatternSyntaxException e) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    "The line \"" + line + "\" of " + file + " is no pattern. Write it as for .gitignore, for example:"
                            + " migrations/*.sql",
                    e);
        }
    }

    private static String regex(String glob) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < glob.length()) {
            char c = glob.charAt(at);
            if (glob.startsWith("**/", at)) {
                regex.append("(?:.*/)?");
                at += 3;
            } else if (glob.startsWith("**", at)) {
                regex.append(".*");
                at += 2;
            } else if (c == '[' && glob.indexOf(']', at + 2) > 0) {
                int end = glob.indexOf(']', at + 2);
                String inside =
                        glob.substring(at + 1, end).replace("\\", "\\\\").replace("[", "\\[");
                regex.append('[')
                        .append(inside.startsWith("!") ? "^" + inside.substring(1) : inside)
                        .append(']');
                at = end + 1;
            } else {
                boolean isEscaped = c == '\\' && at + 1 < glob.length();
                at += isEscaped ? 2 : 1;
                regex.append(
                        c == '*' ? "[^/]*" : c == '?' ? "[^/]" : Pattern.quote(String.valueOf(glob.charAt(at - 1))));
            }
        }
        return regex.toString();
    }
}
