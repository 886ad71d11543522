package dev.millrace.worker;

import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.ScriptLanguage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the names of languages. */
final class LanguageNames {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_-]{0,31}");

    private LanguageNames() {}

    static void check(List<ScriptLanguage> languages, List<EmbeddedLanguage> embedded) {
        Set<String> names = new HashSet<>(List.of("python", "deno"));
        languages.forEach(language -> add(names, language.name(), language.fileEndings(), language));
        embedded.forEach(language -> add(names, language.name(), language.fileEndings(), language));
    }

    private static void add(Set<String> names, String name, List<String> fileEndings, Object language) {
        if (!NAME.matcher(name).matches() || fileEndings.isEmpty()) {
            throw new IllegalArgumentException("The language \"" + name + "\" of "
                    + language.getClass().getName()
                    + " cannot be used: its name must be a lower-case letter, then up"
                    + " to 31 lower-case letters, digits, '-' and '_', and it must have a file ending.");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("There are two languages with the name \"" + name + "\", one of them "
                    + language.getClass().getName() + ": remove one from the class path.");
        }
    }
}
