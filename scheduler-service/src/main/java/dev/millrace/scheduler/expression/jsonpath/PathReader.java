package dev.millrace.scheduler.expression.jsonpath;

import com.jayway.jsonpath.InvalidPathException;
import com.jayway.jsonpath.JsonPath;
import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of paths. */
final class PathReader {
    private static final String NAME = "[^.\\[\\]{}$'\"()?*@]+";
    private static final Pattern FIRST = Pattern.compile(NAME);
    private static final Pattern PLAIN = Pattern.compile(
            "\\.(?<key>" + NAME + ")|\\[(?<index>\\d{1,9})]|\\[(?:'(?<single>[^'\\\\]*)'|\"(?<double>[^\"\\\\]*)\")]");
    /** Maximum number of {@code ..} in one path; each of them multiplies the work. */
    private static final int DEEP_SCANS_MAX = 2;

    private PathReader() {}

    static Expression read(String path, References references) {
        Matcher first = FIRST.matcher(path);
        if (!first.lookingAt()) {
            throw new PathInvalid(
                    "The path \"${" + path + "}\" names nothing.",
                    "Begin it with workflow or the reference name of a task, such as ${fetch.output.body}.");
        }
        Optional<Expression> whole = references.findWhole(path);
        if (whole.isPresent()) {
            return whole.get();
        }
        String holder = first.group().strip();
        Matcher member = PLAIN.matcher(path).region(first.end(), path.length());
        boolean named = member.lookingAt() && member.group("index") == null;
        Optional<Expression> base = references.find(holder, named ? key(member) : "");
        int position = named ? member.end() : first.end();
        return at(base.orElseGet(() -> Composed.constant(JsonValue.NULL)), path, position);
    }

    /** Base of a path, and the index at which the rest of the path begins. */
    record Base(Expression expression, int end) {}

    /**
     * Finds the base of a path that is known only in part; empty if the known part may end within a name of the base.
     */
    static Optional<Base> base(String begin, References references) {
        Matcher first = FIRST.matcher(begin);
        if (!first.lookingAt()) {
            return Optional.empty();
        }
        Matcher member = PLAIN.matcher(begin).region(first.end(), begin.length());
        if (!member.lookingAt() || member.group("index") != null || member.end() == begin.length()) {
            return Optional.empty();
        }
        Expression expression =
                references.find(first.group().strip(), key(member)).orElseGet(() -> Composed.constant(JsonValue.NULL));
        return Optional.of(new Base(expression, member.end()));
    }

    /** Parses the rest of a path, from the character {@code start} on, and applies it to a base. */
    static Expression at(Expression base, String path, int start) {
        List<Segment> segments = new ArrayList<>();
        Matcher next = PLAIN.matcher(path);
        int position = start;
        while (position < path.length()) {
            next.region(position, path.length());
            if (!next.lookingAt()) {
                String rest = path.substring(start);
                return new Query(base, query(path, rest), rest);
            }
            segments.add(
                    next.group("index") != null
                            ? Segment.index(Integer.parseInt(next.group("index")), true)
                            : Segment.key(key(next), true));
            position = next.end();
        }
        return segments.isEmpty() ? base : new LenientPath(base, segments);
    }

    private static String key(Matcher matcher) {
        for (String group : List.of("key", "single", "double")) {
            if (matcher.group(group) != null) {
                return matcher.group(group);
            }
        }
        return "";
    }

    private static JsonPath query(String path, String rest) {
        if (rest.contains("=~")) {
            throw new PathInvalid(
                    "The path \"${" + path + "}\" has a regular expression.",
                    "Filter with ==, <, in and the like, or in a task.");
        }
        if (rest.split("\\.\\.", -1).length - 1 > DEEP_SCANS_MAX) {
            throw new PathInvalid(
                    "The path \"${" + path + "}\" searches all levels more than " + DEEP_SCANS_MAX + " times.",
                    "Write out the path to the value.");
        }
        try {
            return JsonPath.compile("$" + rest);
        } catch (InvalidPathException | IllegalArgumentException invalid) {
            throw new PathInvalid(
                    "The path \"${" + path + "}\" is not a JSONPath: " + invalid.getMessage() + ".", "Correct it.");
        }
    }
}
