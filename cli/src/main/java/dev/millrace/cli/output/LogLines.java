package dev.millrace.cli.output;

import dev.millrace.cli.client.LogChunk;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Joins the chunks of each step's streams into whole lines. Not thread-safe. */
public final class LogLines {
    private record Source(String step, String stream) {}

    private final Map<Source, StringBuilder> unfinished = new LinkedHashMap<>();

    public record Line(String step, String stream, String text) {}

    /** Adds a chunk and returns the lines that it completes. */
    public List<Line> add(LogChunk chunk) {
        Source source = new Source(chunk.step(), chunk.stream());
        StringBuilder text = unfinished.computeIfAbsent(source, s -> new StringBuilder());
        text.append(chunk.text());
        List<Line> lines = new ArrayList<>();
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
        unfinished.forEach((source, text) -> {
            if (!text.isEmpty()) {
                lines.add(line(source, text.toString()));
            }
        });
        unfinished.clear();
        return lines;
    }

    private static Line line(Source source, String text) {
        return new Line(source.step, source.stream, text.stripTrailing());
    }
}
