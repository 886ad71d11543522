package dev.millrace.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.cli.client.Json;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Second, simple word count that checks the flow's result. */
final class WordCheck {
    private static final Pattern WORD = Pattern.compile("[a-z]+");

    private WordCheck() {}

    /** The result that the flow must return. */
    static JsonNode expected(DemoTexts texts, int top) {
        Map<String, Integer> counts = new HashMap<>();
        for (DemoTexts.Text text : texts.texts()) {
            Matcher words = WORD.matcher(text.content().toLowerCase(Locale.ROOT));
            while (words.find()) {
                counts.merge(words.group(), 1, Integer::sum);
            }
        }
        ObjectNode result = Json.object();
        result.put("words", counts.values().stream().mapToInt(Integer::intValue).sum());
        result.put("different", counts.size());
        ArrayNode ranking = result.putArray("top");
        mostFrequent(counts, top)
                .forEach(
                        entry -> ranking.addObject().put("word", entry.getKey()).put("count", entry.getValue()));
        return result;
    }

    private static List<Map.Entry<String, Integer>> mostFrequent(Map<String, Integer> counts, int top) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(top)
                .toList();
    }
}
