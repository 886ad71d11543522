package dev.millrace.gateway.problem;

import com.google.rpc.BadRequest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates field paths of the gRPC contract to those of the REST API if they differ, in violations and in the sentences
 * that repeat them.
 */
final class FieldNames {

    private static final Pattern ITEM = Pattern.compile("^specs\\[");
    /** Messages of requests whose fields stand by themselves in JSON. */
    private static final Pattern WRAPPER = Pattern.compile("^(spec|settings\\.timing|settings|alert)\\.");

    private static final Pattern PATH = Pattern.compile("(^|\\.)(target\\.script|target\\.flow|filter\\.flow)_path$");
    /** Fields with another name in JSON. */
    private static final Map<String, String> RENAMED = Map.of(
            "from_time", "from",
            "to_time", "to",
            "after_time", "after",
            "parallel_max", "parallel",
            "delivery_id", "id");

    private FieldNames() {}

    static String rest(String field) {
        var item = ITEM.matcher(field).replaceFirst("items[");
        var unwrapped = WRAPPER.matcher(item).replaceFirst("");
        var path = PATH.matcher(unwrapped).replaceFirst("$1$2");
        return RENAMED.getOrDefault(path, path);
    }

    /** A sentence of the scheduler about violations, which names their fields before a colon. */
    static String restOf(String sentence, BadRequest violations) {
        var text = sentence;
        for (var violation : violations.getFieldViolationsList()) {
            var field = violation.getField();
            if (!rest(field).equals(field)) {
                text = Pattern.compile("(?<=[:;] )" + Pattern.quote(field) + "(?=: )")
                        .matcher(text)
                        .replaceAll(Matcher.quoteReplacement(rest(field)));
            }
        }
        return text;
    }
}
