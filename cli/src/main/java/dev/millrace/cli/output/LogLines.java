package dev.millrace.cli.output;

import dev.millrace.cli.client.LogChunk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins the chunks of each step's streams into whole lines. The last line of an attempt ends where the next attempt
 * begins. Not thread-safe.
 */
public final class LogLines {
    private record Source(String step, String stream) {}

    /** One execution of a job. */
    private record Attempt(String job, int number) {}

    /** The start of a line. */
    private static final class Unfinished {
        private final Attempt attempt;
        private final StringBuilder text = new StringBuilder();

        Unfinished(Attempt attempt) {
            this.attempt = attempt;
        }
    }

    private final Map<Source, Unfinished> unfinished = new LinkedHashMap<>();

    public record Line(String step, String stream, String text) {}

    /** Adds a chunk and returns the lines that it completes. */
    public List<Line> add(LogChunk chunk) {
        Source source = new Source(chunk.step(), chunk.stream());
        Attempt attempt = new Attempt(chunk.job(), chunk.attempt());
        List<Line> lines = new ArrayList<>();
        Unfinished before = unfinished.get(source);
        if (before != null && !before.attempt.equals(attempt)) {
            unfinished.remove(source);
            if (!before.text.isEmpty()) {
                lines.add(line(source, before.text.toString()));
            }
        }
        StringBuilder text = unfinished.computeIfAbsent(source, _ -> new Unfinished(attempt)).text;
        text.append(chunk.text());
        int start = 0;
        for (int end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
            lines.add(line(source, text.substring(start, end)));
            start = end + 1;
        }
        text.delete(0, start);
        return lines;
    }

    /** Returns the unfinished last lines, at the end of the log. */
    public List<Line> rest() {
        List<Line> lines = new ArrayList<>();
        unfinished.forEach((source, start) -> {
            if (!start.text.isEmpty()) {
                lines.add(line(source, start.text.toString()));
            }
        });
        unfinished.clear();
        return lines;
    }

    private static Line line(Source source, String text) {
        return new Line(source.step, source.stream, text.stripTrailing());
    }
}
