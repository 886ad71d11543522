package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import java.util.List;
import java.util.Optional;

/** Reads keys that take one of a few words. */
final class Words {
    private Words() {}

    /** The word of a key, or what stands for it where it is not there or none of the words. */
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
