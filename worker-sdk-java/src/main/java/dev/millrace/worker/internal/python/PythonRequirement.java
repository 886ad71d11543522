package dev.millrace.worker.internal.python;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which versions of Python a script runs on, in the words of <a href="https://peps.python.org/pep-0440/">PEP 440</a>:
 * {@code >=3.11,<3.13}.
 *
 * @param text as the author wrote it; empty if every version will do
 */
public record PythonRequirement(String text, List<Clause> clauses) {
    /** Every version will do. */
    public static final PythonRequirement ANY = new PythonRequirement("", List.of());

    /** What authors may write, for messages. */
    public static final String EXAMPLES = "versions such as 3.12, >=3.11 or >=3.11,<3.13";

    /** The lines around the metadata of a script, as PEP 723 defines them. */
    private static final String METADATA = "# /// script";

    private static final String METADATA_END = "# ///";

    private static final Pattern TABLE = Pattern.compile("(?m)^\\s*\\[");
    private static final Pattern PROJECT = Pattern.compile("(?m)^\\s*\\[project\\]\\s*$");
    private static final Pattern KEY =
            Pattern.compile("(?m)^\\s*requires-python\\s*=\\s*(?:\"([^\"\\n]*)\"|'([^'\\n]*)')");

    private static final Pattern CLAUSE =
            Pattern.compile("(~=|===?|!=|<=|>=|<|>)\\s*v?([0-9]{1,4}(?:\\.[0-9]{1,4}){0,4})"
                    + "(?:(\\.\\*)|[-._]?(?:a|b|rc|dev|post)[0-9]{0,4})?");
    private static final Pattern BARE = Pattern.compile("[0-9]{1,4}(?:\\.[0-9]{1,4}){1,2}");

    /** Parts of a release that are compared; those that are missing are 0. */
    private static final int PARTS = 5;

    public PythonRequirement {
        requireNonNull(text, "text");
        clauses = List.copyOf(clauses);
    }

    /** One condition, such as {@code >=3.11}. */
    record Clause(String operator, List<Integer> release, boolean isPrefix) {
        Clause {
            release = List.copyOf(release);
        }

        boolean matches(PythonVersion version) {
            List<Integer> asked = List.of(version.major(), version.minor(), version.micro());
            int order = compare(asked, release);
            return switch (operator) {
                case ">=" -> order >= 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                case "<" -> order < 0;
                case "!=" -> isPrefix ? !begins(asked, release.size()) : order != 0;
                case "~=" -> order >= 0 && begins(asked, release.size() - 1);
                default -> isPrefix ? begins(asked, release.size()) : order == 0;
            };
        }

        private boolean begins(List<Integer> asked, int length) {
            return compare(firsts(asked, length), firsts(release, length)) == 0;
        }

        private static List<Integer> firsts(List<Integer> parts, int length) {
            return parts.subList(0, Math.min(parts.size(), length));
        }

        private static int compare(List<Integer> a, List<Integer> b) {
            for (int i = 0; i < PARTS; i++) {
                int order = Integer.compare(part(a, i), part(b, i));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        }

        private static int part(List<Integer> parts, int index) {
            return index < parts.size() ? parts.get(index) : 0;
        }
    }

    /**
     * Reads specifiers as PEP 440 has them, or a bare {@code 3.12}, which means all releases of it.
     *
     * @throws IllegalArgumentException if they cannot be understood; the message is the part that cannot
     */
    public static PythonRequirement parse(String text) {
        String stripped = text.strip();
        if (BARE.matcher(stripped).matches()) {
            boolean isExact = stripped.indexOf('.') != stripped.lastIndexOf('.');
            return new PythonRequirement(stripped, List.of(clause("==" + stripped + (isExact ? "" : ".*"))));
        }
        List<Clause> clauses = new ArrayList<>();
        for (String part : stripped.split(",", -1)) {
            if (!part.isBlank()) {
                clauses.add(clause(part.strip()));
            }
        }
        return clauses.isEmpty() ? ANY : new PythonRequirement(stripped, clauses);
    }

    private static Clause clause(String part) {
        Matcher matcher = CLAUSE.matcher(part);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(part);
        }
        String operator = requireNonNull(matcher.group(1));
        boolean isPrefix = matcher.group(3) != null;
        List<Integer> release = new ArrayList<>();
        for (String number : requireNonNull(matcher.group(2)).split("\\.", -1)) {
            release.add(Integer.valueOf(number));
        }
        boolean isEquality = operator.equals("==") || operator.equals("!=");
        if ((isPrefix && !isEquality) || (operator.equals("~=") && release.size() < 2)) {
            throw new IllegalArgumentException(part);
        }
        return new Clause(operator, release, isPrefix);
    }

    /** What the metadata of a script says (PEP 723); empty if it says nothing about Python. */
    public static Optional<String> ofScript(String source) {
        StringBuilder toml = new StringBuilder();
        Iterator<String> lines = source.lines()
                .map(String::stripTrailing)
                .dropWhile(line -> !line.equals(METADATA))
                .skip(1)
                .iterator();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.equals(METADATA_END)) {
                return key(toml.toString());
            }
            if (!line.startsWith("# ") && !line.equals("#")) {
                break;
            }
            toml.append(line.substring(1)).append('\n');
        }
        return Optional.empty();
    }

    /** What a {@code pyproject.toml} says; empty if it says nothing about Python. */
    public static Optional<String> ofProject(String toml) {
        Matcher project = PROJECT.matcher(toml);
        return project.find() ? key(toml.substring(project.end())) : Optional.empty();
    }

    /** The key before the next table. */
    private static Optional<String> key(String toml) {
        Matcher table = TABLE.matcher(toml);
        String own = table.find() ? toml.substring(0, table.start()) : toml;
        Matcher key = KEY.matcher(own);
        return key.find()
                ? Optional.ofNullable(key.group(1)).or(() -> Optional.ofNullable(key.group(2)))
                : Optional.empty();
    }

    /** What both want. */
    public PythonRequirement and(PythonRequirement other) {
        if (clauses.isEmpty() || equals(other)) {
            return other;
        }
        if (other.clauses.isEmpty()) {
            return this;
        }
        List<Clause> both = new ArrayList<>(clauses);
        both.addAll(other.clauses);
        return new PythonRequirement(text + "," + other.text, both);
    }

    public boolean matches(PythonVersion version) {
        return clauses.stream().allMatch(clause -> clause.matches(version));
    }
}
