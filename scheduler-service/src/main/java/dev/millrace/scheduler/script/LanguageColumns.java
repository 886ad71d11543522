package dev.millrace.scheduler.script;

import dev.millrace.scheduler.queue.core.Language;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns with the language of a script: a number for the first languages, which had no name, else the name. */
final class LanguageColumns {
    private static final short NAMED = 0;
    private static final Map<Language, Short> NUMBERS = Map.of(Language.PYTHON, (short) 1, Language.DENO, (short) 2);

    private LanguageColumns() {}

    static short number(Language language) {
        return NUMBERS.getOrDefault(language, NAMED);
    }

    /** The name; null for languages with a number. */
    static @Nullable String name(Language language) {
        return NUMBERS.containsKey(language) ? null : language.name();
    }

    static Language language(short number, @Nullable String name) {
        return name != null
                ? new Language(name)
                : NUMBERS.entrySet().stream()
                        .filter(entry -> entry.getValue() == number)
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException(
                                "script.language: " + number + " without a name (expected: 1 or 2)"));
    }
}
