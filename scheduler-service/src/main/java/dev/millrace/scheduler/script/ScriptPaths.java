package dev.millrace.scheduler.script;

import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.text.script.ScriptLanguages;
import java.util.Optional;
import java.util.regex.Pattern;

/** Syntax of script paths, and the languages that their endings stand for. */
public final class ScriptPaths {
    /** Maximum number of characters of a path. */
    public static final int LENGTH_MAX = 256;
    /** The syntax in words, for messages. */
    public static final String EXPECTED =
            "names of letters, digits, '.', '_' and '-', joined by '/', without '..', at most " + LENGTH_MAX
                    + " characters";

    private static final Pattern PATH = Pattern.compile("(?!\\.{1,2}(/|$))[\\w.-]+(/(?!\\.{1,2}(/|$))[\\w.-]+)*");

    private ScriptPaths() {}

    public static boolean isValid(String path) {
        return path.length() <= LENGTH_MAX && PATH.matcher(path).matches();
    }

    /** Whether a script in this language, and files that it imports, may have this path. */
    static boolean fits(String path, Language language) {
        return ScriptLanguages.fits(path, language.name());
    }

    /** The language of the path's ending; empty if the ending is unknown. */
    public static Optional<Language> languageOf(String path) {
        return ScriptLanguages.of(path).map(Language::new);
    }
}
