package dev.millrace.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that names, SQL and comments of lanes mention no feature. A lane that mentions a feature depends on knowledge
 * of that feature. Move the knowledge to the feature instead, and add a method to {@code LaneFeature} if necessary (ADR
 * 49).
 */
class LaneWordsTest {
    private static final Path LANE = Path.of("src/main/java/dev/millrace/scheduler/lane");
    /** The only file of the lane that may name the statements of all features. */
    private static final String ORDER = "FlushOrder.java";

    private static final Pattern FEATURES = Pattern.compile("affinit|cache|caching|child|limit|operation|signal");
    /**
     * The same words with other meanings: the maximum size of a result, rows of a query, and conditions and exceptions
     * of Java.
     */
    private static final List<String> OTHERS =
            List.of("flowlimits", "limit w.room", "limit 1) o", "next.signal()", "unsupportedoperationexception");

    static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(LANE)) {
            return files.filter(file -> file.toString().endsWith(".java") && !file.endsWith(ORDER)).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("sources")
    void namesNoFeature(Path source) throws IOException {
        String text = Files.readString(source).toLowerCase(Locale.ROOT);
        for (String other : OTHERS) {
            text = text.replace(other, "");
        }

        assertThat(text.lines().filter(line -> FEATURES.matcher(line).find())).isEmpty();
    }
}
