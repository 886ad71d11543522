package dev.millrace.scheduler.queue.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NamedCodesTest {
    /** A comparison of a code column with a number, as in {@code q.state = 4} or {@code kind in (8, 15)}. */
    private static final Pattern NUMERIC_CODE = Pattern.compile(
            "\\b(state|kind|status)( \\+ 0)? (=|<>|in \\() ?\\d|\\b(state|kind|status)\\b.* (then|else) \\d");

    @Test
    void namesBecomeNumbers() {
        assertThat(NamedCodes.expand("state = {JobState.LEASED} and kind in ({JobKind.WAIT}, {JobKind.CHILD_RUN})"))
                .isEqualTo("state = 2 and kind in (8, 15)");
        assertThat(NamedCodes.expand("state = {ItemState.WAITING}", Map.of("ItemState.WAITING", (short) 7)))
                .isEqualTo("state = 7");
        assertThat(NamedCodes.expand("select '{}', '{a}'")).isEqualTo("select '{}', '{a}'");
    }

    @Test
    void unknownNamesAreRejected() {
        assertThatThrownBy(() -> NamedCodes.expand("state = {JobState.GONE}"))
                .hasMessageContaining("unknown code: {JobState.GONE}");
    }

    /** The compiler cannot check numbers in SQL. */
    @Test
    void noStatementHasNumericCodes() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            List<String> numeric = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(NamedCodesTest::lines)
                    .filter(line -> NUMERIC_CODE.matcher(line).find())
                    .toList();
            assertThat(numeric).isEmpty();
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> !line.strip().startsWith("*"))
                    .map(line -> file.getFileName() + ": " + line.strip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
