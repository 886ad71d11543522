package dev.millrace.scheduler.run.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressLineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            nullValues = "none",
            value = {
                "progress: 0.25~ | 0.25",
                "progress: 0.25~charged~progress: {\"done\": [1, 2]}~on the way~ | {\"done\": [1, 2]}",
                "progress: \"half\" | \"half\"",
                "charged~ | none",
                "no progress: 1~ | none",
                "progress: half~ | none",
                "progress: 1 2~ | none",
                "progress: ~ | none"
            })
    void isTheLastLineThatTellsIt(String lines, String value) {
        assertThat(ProgressLine.last(lines.replace('~', '\n')).map(Json::text))
                .isEqualTo(java.util.Optional.ofNullable(value));
    }

    @ParameterizedTest
    @CsvSource({"4094, true", "4095, false"})
    void hasALimit(int characters, boolean isShown) {
        assertThat(ProgressLine.last("progress: \"" + "x".repeat(characters) + "\"\n")
                        .isPresent())
                .isEqualTo(isShown);
    }
}
