package dev.millrace.scheduler.flow.dialect;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds where a definition says what was found to be wrong only after it was compiled. */
public final class SourcePlaces {
    /** A key, or the index of an item. */
    private static final Pattern PART = Pattern.compile("\\[(\\d{1,6})]|[^.\\[]+");

    private SourcePlaces() {}

    /**
     * A problem with the line of the innermost part of its path that the definition has.
     *
     * @param path keys and indexes, for example {@code schedules.nightly.cron[1]}
     */
    public static FlowProblem problem(FlowSource source, String path, String message) {
        SourceNode.Mark mark;
        try {
            mark = mark(FlowCompiler.read(source), path);
        } catch (SourceInvalid unreadable) {
            mark = new SourceNode.Mark(0, 0);
        }
        return new FlowProblem(mark.line(), mark.column(), path, message, "");
    }

    private static SourceNode.Mark mark(SourceNode document, String path) {
        SourceNode.Mark mark = new SourceNode.Mark(0, 0);
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
