package dev.millrace.scheduler.run.search;

import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.run.search.PayloadCondition.Test;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads conditions in the form that people write: {@code customer.id=42}, {@code items[0]["unit price"]=9.5}, {@code
 * note~urgent}.
 */
final class PayloadConditionReader {
    private static final int CONDITIONS_MAX = 10;
    private static final int LENGTH_MAX = 1_000;

    private static final Pattern SEGMENT = Pattern.compile("""
            (?:^|\\.)(?<key>[^.\\[\\]=~"]+)|\\[(?<index>\\d{1,9})]|\\["(?<quoted>(?:[^"\\\\]|\\\\.)*)"]""");
    private static final Pattern ESCAPE = Pattern.compile("\\\\(.)");

    private PayloadConditionReader() {}

    static List<PayloadCondition> read(List<String> texts, String field, Violations violations) {
        violations.require(
                texts.size() <= CONDITIONS_MAX,
                field,
                texts.size() + " conditions (expected: at most " + CONDITIONS_MAX + ")");
        List<PayloadCondition> conditions = new ArrayList<>();
        for (int index = 0; index < Math.min(texts.size(), CONDITIONS_MAX); index++) {
            String text = texts.get(index);
            violations.collect(field + "[" + index + "]", () -> read(text)).ifPresent(conditions::add);
        }
        return conditions;
    }

    /** @throws IllegalArgumentException if the text is no condition */
    private static PayloadCondition read(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "is " + text.length() + " characters long (expected: at most " + LENGTH_MAX + ")");
        }
        List<Segment> way = new ArrayList<>();
        Matcher segment = SEGMENT.matcher(text).useAnchoringBounds(false);
        int end = 0;
        while (segment.region(end, text.length()).lookingAt() && (end > 0 || text.charAt(0) != '.')) {
            way.add(segment(segment));
            end = segment.end();
        }
        if (end < text.length() && text.charAt(end) == '=') {
            return new PayloadCondition(way, Test.EQUALS, value(text.substring(end + 1)));
        }
        if (end < text.length() && text.charAt(end) == '~') {
            return new PayloadCondition(way, Test.CONTAINS, JsonValue.ofString(text.substring(end + 1)));
        }
        throw new IllegalArgumentException(
                "is \"" + text + "\" (expected: PATH=VALUE or PATH~TEXT, such as customer.id=42, items[0].name=\"Ada\""
                        + " or note~urgent; write a key with special characters as [\"…\"])");
    }

    private static Segment segment(Matcher found) {
        if (found.group("index") != null) {
            return Segment.index(Integer.parseInt(found.group("index")), false);
        }
        String quoted = found.group("quoted");
        return Segment.key(
                quoted == null ? found.group("key") : ESCAPE.matcher(quoted).replaceAll("$1"), false);
    }

    /** A JSON value if the text is JSON, otherwise the text as a string. */
    private static JsonValue value(String text) {
        return JsonText.problem(text).isEmpty() ? JsonValue.of(text) : JsonValue.ofString(text);
    }
}
