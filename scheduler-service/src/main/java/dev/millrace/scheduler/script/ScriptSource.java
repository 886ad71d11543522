package dev.millrace.scheduler.script;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.text.script.ScriptLanguages;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a version of a script consists of.
 *
 * @param content source text
 * @param files texts of the files that the version has besides its own, by their paths
 */
public record ScriptSource(Language language, String content, SortedMap<String, String> files) {
    public ScriptSource {
        requireNonNull(language, "language");
        requireNonNull(content, "content");
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    public ScriptSource(Language language, String content, Map<String, String> files) {
        this(language, content, new TreeMap<>(files));
    }

    /** A version in the language that its text chooses: one in TypeScript may ask for Bun. */
    public static ScriptSource choosing(Language given, String content, Map<String, String> files) {
        return new ScriptSource(
                new Language(ScriptLanguages.chosenBy(given.name(), content)), content, new TreeMap<>(files));
    }

    /** A version that consists of a single file. */
    public ScriptSource(Language language, String content) {
        this(language, content, new TreeMap<>());
    }

    /** The texts of the script and of its files, for a search. */
    String allText() {
        return content + "\n" + String.join("\n", files.values());
    }
}
