package dev.millrace.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Explains in plain words why and where a text is not JSON. The parser's own messages name its classes and settings.
 */
public final class JsonTrouble {
    private static final List<Rewording> REWORDINGS = List.of(
            new Rewording(
                    "^Illegal unquoted character .*",
                    "a string holds a line end, a tab or another control character, which must be written as an escape such as \\\\n"),
            new Rewording("^Document nesting depth .*", "it nests too deeply"),
            new Rewording("^Unexpected end-of-input.*", "it ends before it is complete"),
            new Rewording("^Duplicate field ('.*')$", "it has the key $1 twice in one object"),
            new Rewording("\\[Source:[^\\]]*line: (\\d+), column: (\\d+)\\]", "line $1, column $2"),
            new Rewording("\\(for (Array|Object) starting at ([^)]*)\\)", "for what opens at $2"),
            new Rewording(",? ?\\(?from `[^`]*`\\)?", ""),
            new Rewording("\\(\\(CTRL-CHAR, code (\\d+)\\)\\)", "number $1"),
            new Rewording(" ?\\(code \\d+[^)]*\\)", ""),
            new Rewording("\\('(.)'\\)", "'$1'"),
            new Rewording("was expecting", "expected"),
            new Rewording("\\(JSON String, .*\\)", "a JSON value"));

    private record Rewording(Pattern pattern, String words) {
        Rewording(String pattern, String words) {
            this(Pattern.compile(pattern, Pattern.DOTALL), words);
        }

        String applyTo(String text) {
            return pattern.matcher(text).replaceAll(words);
        }
    }

    private JsonTrouble() {}

    /** Returns a clause, such as {@code unexpected character '}': expected a value (line 1, column 10)}. */
    public static String inWords(JsonProcessingException invalid) {
        String where = invalid.getLocation() == null
                ? ""
                : " (line " + invalid.getLocation().getLineNr() + ", column "
                        + invalid.getLocation().getColumnNr() + ")";
        return clause(invalid) + where;
    }

    /** The clause without the place. */
    public static String clause(JsonProcessingException invalid) {
        String text = invalid.getOriginalMessage();
        for (Rewording rewording : REWORDINGS) {
            text = rewording.applyTo(text);
        }
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }
}
