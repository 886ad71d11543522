package dev.millrace.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.client.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a server says about one thing, for people: a name and a value a line. Not thread-safe. */
public final class FactList {
    private static final String TIME = "_time";
    private static final String DURATION = "_duration";
    private static final Map<String, String> PARTICIPLES =
            Map.of("create_time", "created", "start_time", "started", "end_time", "ended", "update_time", "updated");
    private static final int GAP = 2;

    private record Fact(String name, JsonNode value) {}

    private final List<Fact> facts = new ArrayList<>();

    public FactList add(String name, String value) {
        facts.add(new Fact(name, Json.object().textNode(value)));
        return this;
    }

    /** Adds all fields of an object that have a value. */
    public FactList addAll(JsonNode object) {
        object.properties().stream()
                .filter(field -> !field.getValue().isNull() && !isEmpty(field.getValue()))
                .forEach(field -> facts.add(new Fact(field.getKey(), field.getValue())));
        return this;
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isContainerNode()
                ? value.isEmpty()
                : value.isTextual() && value.asText().isEmpty();
    }

    public List<String> lines(Paint paint) {
        int width = facts.stream().mapToInt(fact -> label(fact).length()).max().orElse(0) + GAP;
        List<String> lines = new ArrayList<>();
        for (Fact fact : facts) {
            String name = label(fact);
            String before = paint.bold(ControlCharacters.line(name)) + " ".repeat(width - name.length());
            for (String line : text(fact, paint).split("\n", -1)) {
                lines.add((before + line).stripTrailing());
                before = " ".repeat(width);
            }
        }
        return lines;
    }

    private static String label(Fact fact) {
        return PARTICIPLES
                .getOrDefault(fact.name, fact.name.replaceAll(TIME + "$", ""))
                .replace('_', ' ');
    }

    private static String text(Fact fact, Paint paint) {
        if (fact.value.isContainerNode()) {
            return Json.pretty(fact.value, paint);
        }
        String text = fact.value.asText();
        Optional<String> worded = fact.name.endsWith(TIME)
                ? Optional.of(Times.text(text))
                : fact.name.endsWith(DURATION)
                        ? dev.millrace.text.Durations.parse(text).map(Durations::text)
                        : Optional.empty();
        return worded.orElse(text);
    }
}
