package dev.millrace.text.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parameters that comments of a script declare, in the notation of Windmill: {@code -- $1 name (type) = default},
 * {@code -- :name (type) = default} and, for MySQL, {@code -- ? name (type) = default}. Type and default may be missing.
 */
final class SqlDeclarations {
    /** Type and default. The default still has its spaces: taking them off here may cost the square of their number. */
    private static final String REST = "(?: *+\\(([A-Za-z][A-Za-z0-9_ ,()]{0,60}(?:\\[\\])?)\\))?(?: *+=(.*+))? *+";

    private static final Pattern NUMBERED =
            Pattern.compile("-- *\\$([1-9][0-9]{0,4}) +([A-Za-z_][A-Za-z0-9_]{0,99})" + REST);
    private static final Pattern NAMED = Pattern.compile("-- *:([A-Za-z_][A-Za-z0-9_]{0,99})" + REST);
    private static final Pattern POSITIONAL = Pattern.compile("-- *\\? +([A-Za-z_][A-Za-z0-9_]{0,99})" + REST);

    private final Map<Integer, SqlParameter> numbered = new HashMap<>();
    private final Map<String, SqlParameter> named = new HashMap<>();
    private final List<SqlParameter> positional = new ArrayList<>();
    private int positionalUsed;

    private SqlDeclarations() {}

    /** Reads the lines of a script that are comments. */
    static SqlDeclarations read(String source) {
        SqlDeclarations read = new SqlDeclarations();
        source.lines().map(String::strip).filter(line -> line.startsWith("--")).forEach(read::add);
        return read;
    }

    private void add(String line) {
        Matcher matcher = NUMBERED.matcher(line);
        if (matcher.matches()) {
            numbered.put(Integer.valueOf(matcher.group(1)), parameter(matcher, 2));
            return;
        }
        matcher = NAMED.matcher(line);
        if (matcher.matches()) {
            named.put(matcher.group(1), parameter(matcher, 1));
            return;
        }
        matcher = POSITIONAL.matcher(line);
        if (matcher.matches()) {
            positional.add(parameter(matcher, 1));
        }
    }

    private static SqlParameter parameter(Matcher matcher, int group) {
        String type = matcher.group(group + 1);
        return new SqlParameter(
                matcher.group(group),
                type == null ? "" : type.strip(),
                Optional.ofNullable(matcher.group(group + 2)).map(SqlDeclarations::withoutSpaces));
    }

    /** Without the spaces around it; other blank characters stay. */
    private static String withoutSpaces(String text) {
        int begin = 0;
        int end = text.length();
        while (begin < end && text.charAt(begin) == ' ') {
            begin++;
        }
        while (end > begin && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(begin, end);
    }

    /** The parameter {@code $number}. */
    SqlParameter numbered(int number) {
        SqlParameter found = numbered.get(number);
        if (found == null) {
            throw new SqlTextException(
                    "The script uses $" + number + " and does not say which input that is: add the line \"-- $" + number
                            + " NAME\", or write :NAME in place of $" + number + ".");
        }
        return found;
    }

    /** The parameter {@code :name}. */
    SqlParameter named(String name) {
        return named.getOrDefault(name, SqlParameter.undeclared(name));
    }

    /**
     * The parameter of the next {@code ?}.
     *
     * @throws SqlTextException if fewer are declared
     */
    SqlParameter nextPositional() {
        if (positionalUsed == positional.size()) {
            throw new SqlTextException("The script has more than " + positional.size()
                    + " places with \"?\" and does not say which inputs those are: add a line \"-- ? NAME\" for each, in"
                    + " their order, or write :NAME in place of each \"?\".");
        }
        return positional.get(positionalUsed++);
    }
}
