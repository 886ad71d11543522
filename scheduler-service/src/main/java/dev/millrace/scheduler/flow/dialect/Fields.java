package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.dialect.SourceNode.Entry;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reader for the keys of one object of a definition: takes each value by type and reports values of other types. */
public final class Fields {
    private final Problems problems;
    private final String path;
    private final Mark mark;
    private final boolean object;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private Fields(Problems problems, String path, SourceNode node) {
        this.problems = problems;
        this.path = path;
        this.mark = node.mark();
        this.object = node instanceof SourceNode.Mapping;
    }

    /**
     * Reads the keys of an object. Reports any other node and treats it as an empty object.
     *
     * @param what the object with its article, for messages
     * @param known the keys that the object may have; empty allows any key
     */
    public static Fields of(Problems problems, SourceNode node, String path, String what, List<String> known) {
        return read(problems, node, path, what, known, Fields::refuseUnknown);
    }

    /**
     * Like {@link #of}, but warns of an unknown key and drops it, for dialects of systems that ignore unknown keys: a
     * definition that runs there has to run here.
     */
    public static Fields tolerant(Problems problems, SourceNode node, String path, String what, List<String> known) {
        return read(problems, node, path, what, known, Fields::warnOfUnknown);
    }

    /** What becomes of an unknown key. */
    @FunctionalInterface
    private interface OnUnknown {
        void report(Fields fields, Entry entry, String what, List<String> known);
    }

    private static Fields read(
            Problems problems, SourceNode node, String path, String what, List<String> known, OnUnknown unknown) {
        Fields fields = new Fields(problems, path, node);
        if (!(node instanceof SourceNode.Mapping mapping)) {
            problems.add(
                    node.mark(),
                    path,
                    "This is " + node.phrase() + ", but " + what + " is an object.",
                    known.isEmpty()
                            ? "Write keys and values here."
                            : "Write an object with some of the keys " + String.join(", ", known) + ".");
            return fields;
        }
        for (Entry entry : mapping.entries()) {
            fields.take(entry, what, known, unknown);
        }
        return fields;
    }

    private String remedy(Entry entry, List<String> known) {
        return Nearest.to(entry.key(), known)
                .map(near -> "Did you mean \"" + near + "\"?")
                .orElseGet(() -> problems.knownKeys(known, entry.mark()));
    }

    private void refuseUnknown(Entry entry, String what, List<String> known) {
        problems.add(
                entry.mark(),
                path(entry.key()),
                "\"" + entry.key() + "\" is not a key of " + what + ".",
                remedy(entry, known));
    }

    private void warnOfUnknown(Entry entry, String what, List<String> known) {
        problems.warn(
                entry.mark(),
                path(entry.key()),
                "\"" + entry.key() + "\" is not a key of " + what + ", and has no effect.",
                remedy(entry, known));
    }

    private void take(Entry entry, String what, List<String> known, OnUnknown unknown) {
        if (!known.isEmpty() && !known.contains(entry.key())) {
            unknown.report(this, entry, what, known);
        } else if (entries.putIfAbsent(entry.key(), entry) != null) {
            problems.add(
                    entry.mark(),
                    path(entry.key()),
                    "The key \"" + entry.key() + "\" appears twice.",
                    "Remove one of the two.");
        }
    }

    /** Whether the node is an object. If not, these fields are empty. */
    public boolean isObject() {
        return object;
    }

    public Mark mark() {
        return mark;
    }

    public String path() {
        return path;
    }

    public String path(String key) {
        return Paths.member(path, key);
    }

    public boolean has(String key) {
        return entries.containsKey(key);
    }

    public Iterable<Entry> entries() {
        return entries.values();
    }

    public Optional<SourceNode> find(String key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /** Reports as a problem each of {@code keys} that is present. */
    public void refuse(List<String> keys, String message, String remedy) {
        for (String key : keys) {
            Entry entry = entries.get(key);
            if (entry != null) {
                problems.add(entry.mark(), path(key), "\"" + key + "\" " + message, remedy);
            }
        }
    }

    /** Warns about each of {@code keys} that is present with a value other than null, false, zero or empty. */
    public void ignore(List<String> keys, String message, String remedy) {
        for (String key : keys) {
            Entry entry = entries.get(key);
            if (entry != null && hasEffect(entry.value())) {
                problems.warn(entry.mark(), path(key), "\"" + key + "\" " + message, remedy);
            }
        }
    }

    private static boolean hasEffect(SourceNode node) {
        return switch (node) {
            case SourceNode.Text text -> !text.text().isEmpty();
            case SourceNode.Literal literal -> literal.value().isTruthy();
            case SourceNode.Sequence sequence -> !sequence.items().isEmpty();
            case SourceNode.Mapping mapping -> !mapping.entries().isEmpty();
        };
    }

    public Optional<String> text(String key) {
        return typed(
                key,
                "a string",
                "Quote the value if it is meant as text.",
                node -> node instanceof SourceNode.Text text ? Optional.of(text.text()) : Optional.empty());
    }

    /** Returns an array of strings, or an empty list if the key is absent or its value is something else. */
    public List<String> texts(String key) {
        return this.<List<String>>typed(key, "an array of strings", "Write for example [\"a\", \"b\"].", Fields::texts)
                .orElse(List.of());
    }

    private static Optional<List<String>> texts(SourceNode node) {
        if (!(node instanceof SourceNode.Sequence sequence)) {
            return Optional.empty();
        }
        List<String> texts = new ArrayList<>();
        for (SourceNode item : sequence.items()) {
            if (!(item instanceof SourceNode.Text text)) {
                return Optional.empty();
            }
            texts.add(text.text());
        }
        return Optional.of(texts);
    }

    public Optional<Boolean> bool(String key) {
        return typed(
                key,
                "true or false",
                "Write true or false.",
                node -> node instanceof SourceNode.Literal literal
                                && literal.value().kind() == JsonValue.Kind.BOOLEAN
                        ? Optional.of(literal.value().isTruthy())
                        : Optional.empty());
    }

    public Optional<Integer> whole(String key, int min, int max) {
        String expected = "a whole number from " + min + " to " + max;
        return typed(
                key,
                expected,
                "Write " + expected + ".",
                node -> Numbers.whole(node).filter(value -> value >= min && value <= max));
    }

    public Optional<Double> number(String key, double min, double max) {
        String expected = "a number from " + Numbers.plain(min) + " to " + Numbers.plain(max);
        return typed(
                key,
                expected,
                "Write " + expected + ".",
                node -> Numbers.number(node).filter(value -> value >= min && value <= max));
    }

    public Optional<Duration> duration(String key, Duration min, Duration max) {
        String expected = "a duration from " + Durations.text(min) + " to " + Durations.text(max);
        return typed(
                key,
                expected,
                "Write a whole number with a unit, for example 250ms, 30s, 5m or 2h.",
                node -> node instanceof SourceNode.Text text
                        ? Durations.parse(text.text())
                                .filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0)
                        : Optional.empty());
    }

    private <T> Optional<T> typed(
            String key, String expected, String remedy, Function<SourceNode, Optional<T>> conversion) {
        Optional<SourceNode> node = find(key);
        Optional<T> value = node.flatMap(conversion);
        if (node.isPresent() && value.isEmpty()) {
            problems.add(
                    node.get().mark(),
                    path(key),
                    key + " is " + node.get().shown() + " (expected: " + expected + ").",
                    remedy);
        }
        return value;
    }
}
