package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import java.util.List;
import java.util.Optional;

/** Reader of keys whose value is one of a few words. */
final class Words {
    private Words() {}

    /** Returns the word of a key, or {@code otherwise} if the key is absent or has another value. */
    static String read(Reading reading, Fields fields, String key, List<String> words, String otherwise) {
        Optional<String> given = fields.text(key);
        if (given.isPresent() && !words.contains(given.get())) {
            reading.problem(
                    fields.find(key).orElseThrow().mark(),
                    fields.path(key),
                    key + " is \"" + given.get() + "\" (expected: " + String.join(", ", words) + ").",
                    Nearest.didYouMean(given.get(), words) + "Write one of these words.");
        }
        return given.filter(words::contains).orElse(otherwise);
    }
}
