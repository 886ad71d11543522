package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Implementation of {@code printf} with the verbs {@code %s %v %d %q %t %f %x %%}. It supports the flags {@code -} and
 * {@code 0}, and widths of up to two digits.
 */
final class Format {
    private static final Pattern VERB =
            Pattern.compile("%(?<flags>[-0]*)(?<width>\\d{1,2})?(?:\\.(?<precision>\\d{1,2}))?(?<verb>[a-zA-Z%])");
    private static final int PRECISION_DEFAULT = 6;

    private Format() {}

    static String format(String format, List<JsonValue> arguments) {
        Iterator<JsonValue> next = arguments.iterator();
        Matcher matcher = VERB.matcher(format);
        StringBuilder text = new StringBuilder();
        while (matcher.find()) {
            String verb = matcher.group("verb");
            if (!verb.equals("%") && !next.hasNext()) {
                throw Functions.failed("printf has no value for " + matcher.group());
            }
            String value = verb.equals("%") ? "%" : padded(value(verb, matcher, next.next()), matcher);
            matcher.appendReplacement(text, Matcher.quoteReplacement(value));
        }
        if (next.hasNext()) {
            throw Functions.failed("printf has more values than \"" + format + "\" takes");
        }
        return matcher.appendTail(text).toString();
    }

    private static String value(String verb, Matcher matcher, JsonValue value) {
        return switch (verb) {
            case "s", "v", "t" -> Output.textOf(value);
            case "q" -> JsonStrings.quote(Output.textOf(value));
            case "d" -> number(value).toBigInteger().toString();
            case "x" -> number(value).toBigInteger().toString(16);
            case "f" -> {
                String precision = matcher.group("precision");
                int digits = precision == null ? PRECISION_DEFAULT : Integer.parseInt(precision);
                yield number(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
            }
            default -> throw Functions.failed("printf does not know %" + verb);
        };
    }

    private static BigDecimal number(JsonValue value) {
        if (value.kind() != JsonValue.Kind.NUMBER
                || value.text().length() > PRECISION_DEFAULT * 10
                || value.text().matches(".*[eE].*")) {
            throw Functions.failed("printf cannot write " + value.kind().phrase() + " as a number");
        }
        return new BigDecimal(value.text());
    }

    private static String padded(String value, Matcher matcher) {
        int width = matcher.group("width") == null ? 0 : Integer.parseInt(matcher.group("width"));
        String fill = matcher.group("flags").contains("0") ? "0" : " ";
        String padding = fill.repeat(Math.max(0, width - value.length()));
        return matcher.group("flags").contains("-") ? value + " ".repeat(padding.length()) : padding + value;
    }
}
