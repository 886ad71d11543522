package dev.millrace.worker;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.language.EmbeddedLanguage;
import dev.millrace.worker.language.ScriptLanguage;
import java.util.List;

/**
 * Slots for script jobs with certain tags.
 *
 * @param name unique within the worker
 * @param tags tags whose jobs this group takes, for example {@code python}
 * @param slots jobs that may run at once, each in its own process
 * @param prefetch further jobs that may wait on the worker
 */
public record ScriptSlots(String name, List<String> tags, int slots, int prefetch) {
    /** More than processors, because a database does the work. */
    private static final int EMBEDDED_SLOTS = 8;

    public ScriptSlots {
        requireNonNull(name, "name");
        tags = List.copyOf(tags);
        if (slots < 0 || slots > WorkerBuilder.SLOTS_MAX || prefetch < 0 || prefetch > WorkerBuilder.SLOTS_MAX) {
            throw new IllegalArgumentException("slots: " + slots + ", prefetch: " + prefetch + " (expected: 0 to "
                    + WorkerBuilder.SLOTS_MAX + " each)");
        }
    }

    /** Returns a group for the scripts of these languages. */
    public static ScriptSlots ofLanguages(List<ScriptLanguage> languages, int slots, int prefetch) {
        return new ScriptSlots(
                "languages", languages.stream().map(ScriptLanguage::name).toList(), slots, prefetch);
    }

    /** Returns a group for the scripts of languages that workers run themselves, which mostly wait for others. */
    public static ScriptSlots ofEmbedded(List<EmbeddedLanguage> languages) {
        return new ScriptSlots(
                "embedded", languages.stream().map(EmbeddedLanguage::name).toList(), EMBEDDED_SLOTS, EMBEDDED_SLOTS);
    }

    /** Returns a group with the name of its only tag. */
    public static ScriptSlots of(String tag, int slots, int prefetch) {
        return new ScriptSlots(tag, List.of(tag), slots, prefetch);
    }
}
