package dev.millrace.scheduler.event.core;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Types of events. */
public final class EventTypes {
    /** All that there are, as docs/reference/events.md lists them. */
    public static final List<String> ALL = Stream.of(
                    of("run", "accepted", "started", "requeued", "paused", "resumed", "retried"),
                    of("run", "succeeded", "failed", "canceled"),
                    of("step", "queued", "started", "requeued", "succeeded", "failed", "canceled", "skipped"),
                    of("approval", "requested"),
                    of("wait", "began", "succeeded", "failed", "canceled", "skipped"),
                    of("worker", "connected", "left", "lost", "drained", "resumed"),
                    of("flow", "deployed", "deleted"),
                    of("script", "deployed", "deleted"),
                    of("schedule", "missed"))
            .flatMap(List::stream)
            .toList();

    private static final String ANY = "*";
    private static final char SEPARATOR = '.';

    private EventTypes() {}

    private static List<String> of(String concerned, String... happened) {
        return Stream.of(happened).map(word -> concerned + SEPARATOR + word).toList();
    }

    /** Whether a text names a type, or with {@code .*} at its end types that there are. */
    public static boolean isWanted(String text) {
        return text.endsWith(SEPARATOR + ANY)
                ? ALL.stream().anyMatch(type -> type.startsWith(text.substring(0, text.length() - ANY.length())))
                : ALL.contains(text);
    }

    /** What is wrong with a text for which {@link #isWanted} is false. */
    public static String problem(String text) {
        int end = text.indexOf(SEPARATOR);
        String beginning = end < 0 ? text : text.substring(0, end + 1);
        List<String> alike =
                ALL.stream().filter(type -> type.startsWith(beginning)).toList();
        String expected = alike.isEmpty()
                ? "for example run.failed, or run.* for all that begin so; the types are those of "
                        + ALL.stream()
                                .map(type -> type.substring(0, type.indexOf(SEPARATOR)))
                                .distinct()
                                .collect(Collectors.joining(", "))
                : String.join(", ", alike) + ", or " + beginning.replaceFirst("\\.?$", ".*");
        return "\"" + text + "\" is no type of event (expected: " + expected + ")";
    }
}
