package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser of scripts that are plain paths. */
final class ChainReader {
    private static final String NAME = "[A-Za-z_$][A-Za-z0-9_$]*";
    private static final Pattern FIRST = Pattern.compile(NAME);
    private static final Pattern NEXT = Pattern.compile(
            "(?<optional>\\?\\.)?(?:\\[(?<index>\\d{1,9})]|\\[(?:\"(?<double>[^\"\\\\\\n]*)\"|'(?<single>[^'\\\\\\n]*)')]|\\.?(?<key>"
                    + NAME + "))");

    private ChainReader() {}

    /** Returns the path; empty if the script is more than a path, or its value is not JSON. */
    static Optional<Expression> read(String source, Names names) {
        if (source.startsWith("(")) {
            return enclosed(source, names);
        }
        Matcher first = FIRST.matcher(source);
        if (!first.lookingAt()) {
            return Optional.empty();
        }
        return segments(source, first.end())
                .flatMap(segments -> names.find(first.group()).flatMap(binding -> bind(binding, segments, source)));
    }

    /** Parses a path in parentheses, with further segments after it. */
    private static Optional<Expression> enclosed(String source, Names names) {
        int close = source.indexOf(')');
        if (close < 0) {
            return Optional.empty();
        }
        return segments(source, close + 1)
                .flatMap(way -> read(source.substring(1, close).strip(), names)
                        .map(base -> way.isEmpty() ? base : chain(base, way, source)));
    }

    private static Optional<List<Segment>> segments(String source, int start) {
        List<Segment> segments = new ArrayList<>();
        Matcher next = NEXT.matcher(source);
        int position = start;
        while (position < source.length()) {
            next.region(position, source.length());
            boolean dotted = source.charAt(position) == '.';
            if (!next.lookingAt() || (next.group("key") != null && dotted == (next.group("optional") != null))) {
                return Optional.empty();
            }
            segments.add(segment(next));
            position = next.end();
        }
        return Optional.of(segments);
    }

    private static Segment segment(Matcher next) {
        boolean optional = next.group("optional") != null;
        if (next.group("index") != null) {
            return Segment.index(Integer.parseInt(next.group("index")), optional);
        }
        for (String group : List.of("double", "single")) {
            if (next.group(group) != null) {
                return Segment.key(next.group(group), optional);
            }
        }
        return Segment.key(next.group("key"), optional);
    }

    private static Optional<Expression> bind(Binding binding, List<Segment> segments, String source) {
        String key = segments.isEmpty() ? null : segments.getFirst().key();
        return switch (binding) {
            case Binding.Value value -> Optional.of(chain(value.expression(), segments, source));
            case Binding.Members object
            when key != null && object.members().containsKey(key) ->
                bind(object.members().get(key), segments.subList(1, segments.size()), source);
            case Binding.Members object when key != null -> object.base().map(base -> chain(base, segments, source));
            case Binding.Members _ -> Optional.empty();
            case Binding.StepResults _ -> Optional.ofNullable(key).map(id -> step(id, segments, 1, source));
            case Binding.Steps _ ->
                key != null
                                && segments.size() > 1
                                && "result".equals(segments.get(1).key())
                        ? member(key, segments, source)
                        : Optional.empty();
        };
    }

    /**
     * Parses {@code steps.ID.result} and the segments after it. A question mark before {@code result} would skip all of
     * these segments.
     */
    private static Optional<Expression> member(String id, List<Segment> segments, String source) {
        boolean ifAny = segments.get(1).optional();
        List<Segment> way = segments.subList(2, segments.size());
        if (ifAny && !way.isEmpty() && !way.getFirst().optional()) {
            return Optional.empty();
        }
        Root root = ifAny ? new Root.StepResultIfAny(id) : new Root.StepResult(id);
        return Optional.of(chain(new Path(root), way, source));
    }

    private static Expression step(String id, List<Segment> segments, int used, String source) {
        return chain(new Path(new Root.StepResultIfAny(id)), segments.subList(used, segments.size()), source);
    }

    private static Expression chain(Expression base, List<Segment> segments, String source) {
        return segments.isEmpty() ? base : new Chain(base, segments, source);
    }
}
