package dev.millrace.scheduler.run.step;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.scheduler.queue.core.Json;
import java.util.Optional;

/** The line in a job's stream of traces by which its code tells how far it is. Workers write at most one a second. */
final class ProgressLine {
    /** Largest number of characters of a value that is shown; the log has longer ones. */
    static final int CHARS_MAX = 4_096;

    private static final String BEGIN = "progress: ";
    private static final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ProgressLine() {}

    /** The value of the last such line in a piece of the stream. Code may write other lines there, and such as are no JSON. */
    static Optional<Json> last(String text) {
        String[] lines = text.split("\n", -1);
        for (int i = lines.length - 1; i >= 0; i--) {
            if (lines[i].startsWith(BEGIN)) {
                return value(lines[i].substring(BEGIN.length()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Json> value(String text) {
        if (text.isBlank() || text.length() > CHARS_MAX) {
            return Optional.empty();
        }
        try {
            json.readTree(text);
            return Optional.of(new Json(text.strip()));
        } catch (JsonProcessingException noJson) {
            return Optional.empty();
        }
    }
}
