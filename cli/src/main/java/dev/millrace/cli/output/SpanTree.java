package dev.millrace.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Shows the spans of a run as a tree. A span whose parent is not among them stands below the span of the run. */
public final class SpanTree {
    private static final int NAME_WIDTH_MIN = 24;
    private static final int TIME_WIDTH = 10;
    /** Attribute with the place of a step in loops, which its name leaves out. */
    private static final String STEP_KEY = "millrace.step.key";

    private final Paint paint;
    private final Optional<JsonNode> root;
    private final Map<String, List<JsonNode>> children = new LinkedHashMap<>();
    private final List<Row> rows = new ArrayList<>();

    private record Row(String name, JsonNode span) {}

    /** @param spans as the API returns them, that of the run first */
    public SpanTree(JsonNode spans, Paint paint) {
        this.paint = paint;
        this.root = Optional.ofNullable(spans.get(0));
        Set<String> ids = new HashSet<>();
        spans.forEach(span -> ids.add(Json.text(span, "span_id")));
        for (JsonNode span : spans) {
            String parent = Json.text(span, "parent_span_id");
            if (!span.equals(spans.get(0))) {
                children.computeIfAbsent(
                                ids.contains(parent) ? parent : Json.text(spans.get(0), "span_id"),
                                _ -> new ArrayList<>())
                        .add(span);
            }
        }
        root.ifPresent(run -> add(run, "", ""));
    }

    private void add(JsonNode span, String indent, String branch) {
        rows.add(new Row(indent + branch + nameOf(span), span));
        String below = indent + (branch.isEmpty() ? "" : branch.equals("└ ") ? "  " : "│ ");
        // Each span is taken out once, so that spans that name one another as parents end.
        List<JsonNode> parts =
                Optional.ofNullable(children.remove(Json.text(span, "span_id"))).orElse(List.of());
        for (int i = 0; i < parts.size(); i++) {
            add(parts.get(i), below, i == parts.size() - 1 ? "└ " : "├ ");
        }
    }

    private static String nameOf(JsonNode span) {
        String key = Json.text(span.path("attributes"), STEP_KEY);
        String name = key.isEmpty() ? Json.text(span, "name") : "step " + key;
        return ControlCharacters.line(name);
    }

    /** One line for each span. */
    public List<String> lines() {
        int width = rows.stream().mapToInt(row -> row.name.length()).max().orElse(0);
        Instant begin = root.flatMap(run -> Json.instant(run, "start_time")).orElse(Instant.EPOCH);
        return rows.stream()
                .map(row -> line(row, Math.max(NAME_WIDTH_MIN, width), begin))
                .toList();
    }

    private String line(Row row, int width, Instant runBegan) {
        Optional<Instant> start = Json.instant(row.span, "start_time");
        Optional<Instant> end = Json.instant(row.span, "end_time");
        String offset = start.map(time -> "+" + Durations.text(positive(Duration.between(runBegan, time))))
                .orElse("");
        String took = start.flatMap(from -> end.map(to -> Durations.text(positive(Duration.between(from, to)))))
                .orElse("…");
        boolean isFailed = Json.text(row.span, "status").equals("error");
        String name = row.name + " ".repeat(width - row.name.length());
        String why = isFailed ? "  " + paint.red(ControlCharacters.line(Json.text(row.span, "status_message"))) : "";
        return (isFailed ? paint.red(name) : name) + "  " + paint.dim(padded(offset)) + padded(took) + why;
    }

    private static String padded(String text) {
        return " ".repeat(Math.max(0, TIME_WIDTH - text.length())) + text;
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
