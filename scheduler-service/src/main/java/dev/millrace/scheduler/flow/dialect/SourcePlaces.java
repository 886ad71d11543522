package dev.millrace.scheduler.flow.dialect;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds where a definition says what was found to be wrong only after it was compiled. */
public final class SourcePlaces {
    /** A key, or the index of an item. */
    private static final Pattern PART = Pattern.compile("\\[(\\d{1,6})]|[^.\\[]+");

    private static final SourceNode.Mark NOWHERE = new SourceNode.Mark(0, 0);

    private final Optional<SourceNode> document;

    private SourcePlaces(Optional<SourceNode> document) {
        this.document = document;
    }

    /** Reads a definition, to find several places in it. */
    public static SourcePlaces of(FlowSource source) {
        return new SourcePlaces(read(source));
    }

    /**
     * A problem with the line of the innermost part of its path that the definition has.
     *
     * @param path keys and indexes, for example {@code schedules.nightly.cron[1]}
     */
    public static FlowProblem problem(FlowSource source, String path, String message) {
        return of(source).problem(path, message, "");
    }

    /** Like {@link #problem(FlowSource, String, String)}, with what to do about it. */
    public FlowProblem problem(String path, String message, String remedy) {
        SourceNode.Mark mark = document.map(node -> mark(node, path)).orElse(NOWHERE);
        return new FlowProblem(mark.line(), mark.column(), path, message, remedy);
    }

    /** A problem with the first place where the definition has this text as the value of a key; without one if it has none. */
    public static FlowProblem problemOf(FlowSource source, String value, String message, String remedy) {
        return read(source)
                .flatMap(document -> place(document, "", value))
                .map(place -> new FlowProblem(place.mark.line(), place.mark.column(), place.path, message, remedy))
                .orElseGet(() -> new FlowProblem(0, 0, "", message, remedy));
    }

    private record Place(String path, SourceNode.Mark mark) {}

    private static Optional<Place> place(SourceNode node, String path, String value) {
        return switch (node) {
            case SourceNode.Text text ->
                text.text().equals(value) && !path.isEmpty()
                        ? Optional.of(new Place(path, text.mark()))
                        : Optional.empty();
            case SourceNode.Literal _ -> Optional.empty();
            case SourceNode.Mapping mapping ->
                mapping.entries().stream()
                        .flatMap(entry -> place(entry.value(), Paths.member(path, entry.key()), value).stream())
                        .findFirst();
            case SourceNode.Sequence sequence ->
                IntStream.range(0, sequence.items().size())
                        .boxed()
                        .flatMap(i -> place(sequence.items().get(i), path + "[" + i + "]", value).stream())
                        .findFirst();
        };
    }

    private static Optional<SourceNode> read(FlowSource source) {
        try {
            return Optional.of(FlowCompiler.read(source));
        } catch (SourceInvalid unreadable) {
            return Optional.empty();
        }
    }

    private static SourceNode.Mark mark(SourceNode document, String path) {
        SourceNode.Mark mark = NOWHERE;
        SourceNode node = document;
        Matcher parts = PART.matcher(path);
        while (parts.find()) {
            Optional<SourceNode.Entry> inner = inner(node, parts.group(1), parts.group());
            if (inner.isEmpty()) {
                break;
            }
            mark = inner.get().mark();
            node = inner.get().value();
        }
        return mark;
    }

    private static Optional<SourceNode.Entry> inner(SourceNode node, @Nullable String index, String key) {
        return switch (node) {
            case SourceNode.Mapping mapping ->
                mapping.entries().stream()
                        .filter(entry -> entry.key().equals(key))
                        .findFirst();
            case SourceNode.Sequence sequence ->
                index == null || Integer.parseInt(index) >= sequence.items().size()
                        ? Optional.empty()
                        : Optional.of(sequence.items().get(Integer.parseInt(index)))
                                .map(item -> new SourceNode.Entry(key, item.mark(), item));
            case SourceNode.Text _, SourceNode.Literal _ -> Optional.empty();
        };
    }
}
