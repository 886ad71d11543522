package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Act;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Condition;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Source;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Conversion of checks to and from JSON with Fastflow's member names. */
final class PreCheckJson {
    private PreCheckJson() {}

    static JsonValue write(List<PreCheck> checks) {
        return JsonValue.of(array(
                checks,
                check -> "{\"act\":" + (check.act() == Act.BLOCK ? "\"block\"" : "\"skip\"") + ",\"conditions\":"
                        + array(check.conditions(), PreCheckJson::write) + "}"));
    }

    private static String write(Condition condition) {
        return "{\"source\":" + (condition.source() == Source.VARS ? "\"vars\"" : "\"share-data\"") + ",\"key\":"
                + JsonStrings.quote(condition.key()) + ",\"op\":" + (condition.in() ? "\"in\"" : "\"not-in\"")
                + ",\"values\":"
                + array(condition.values().stream().sorted().toList(), JsonStrings::quote) + "}";
    }

    private static <T> String array(Collection<T> elements, Function<T, String> text) {
        return elements.stream().map(text).collect(Collectors.joining(",", "[", "]"));
    }

    static List<PreCheck> read(JsonValue checks) {
        return elements(checks).stream()
                .map(check -> new PreCheck(
                        elements(member(check, "conditions")).stream()
                                .map(PreCheckJson::condition)
                                .toList(),
                        is(check, "act", "block", "skip") ? Act.BLOCK : Act.SKIP))
                .toList();
    }

    private static Condition condition(JsonValue condition) {
        return new Condition(
                is(condition, "source", "vars", "share-data") ? Source.VARS : Source.SHARE_DATA,
                text(member(condition, "key")),
                elements(member(condition, "values")).stream()
                        .map(PreCheckJson::text)
                        .collect(Collectors.toUnmodifiableSet()),
                is(condition, "op", "in", "not-in"));
    }

    private static boolean is(JsonValue holder, String key, String first, String second) {
        String word = text(member(holder, key));
        if (!word.equals(first) && !word.equals(second)) {
            throw new IllegalArgumentException(
                    "The " + key + " of a check is neither " + first + " nor " + second + ".");
        }
        return word.equals(first);
    }

    private static JsonValue member(JsonValue holder, String key) {
        if (holder.kind() != JsonValue.Kind.OBJECT || !holder.members().containsKey(key)) {
            throw new IllegalArgumentException("The checks lack " + key + ".");
        }
        return holder.members().get(key);
    }

    private static List<JsonValue> elements(JsonValue value) {
        if (value.kind() != JsonValue.Kind.ARRAY) {
            throw new IllegalArgumentException(
                    "The checks hold " + value.kind().phrase() + " in the place of an array.");
        }
        return value.elements();
    }

    private static String text(JsonValue value) {
        if (value.kind() != JsonValue.Kind.STRING) {
            throw new IllegalArgumentException("The checks hold " + value.kind().phrase() + " in the place of a text.");
        }
        return value.string();
    }
}
