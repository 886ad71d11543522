package dev.millrace.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "0s, PT0S",
        "250ms, PT0.25S",
        "1.5s, PT1.5S",
        "0.012s, PT0.012S",
        "0.000000001s, PT0.000000001S",
        "0.0000001ms, PT0S",
        "5m, PT5M",
        "2h, PT2H",
        "7d, PT168H",
        "999999999s, PT999999999S",
    })
    void readsANumberAndAUnit(String text, Duration duration) {
        assertThat(Durations.parse(text)).hasValue(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "s",
                "-5s",
                "5 s",
                "5S",
                "5min",
                ".5s",
                "5.s",
                "1h30m",
                "PT5S",
                "365001d",
                "999999999999d"
            })
    void readsNothingElse(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "5m, PT5M",
        "1h 30m, PT1H30M",
        "1h30m, PT1H30M",
        "' 1.5 Hours ', PT1H30M",
        "2 days 3 hours, PT51H",
        "1 min 1 sec 1ms, PT1M1.001S",
    })
    void readsASum(String text, Duration duration) {
        assertThat(Durations.parseSum(text)).hasValue(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "5", "5 fortnights", "5m and 3s", "5m,3s", "-5m", "5m 3"})
    void readsNoOtherSum(String text) {
        assertThat(Durations.parseSum(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT0.25S, 250ms",
        "PT0.0005S, 0.5ms",
        "PT1.5S, 1500ms",
        "PT5M, 5m",
        "PT1M30S, 90s",
        "PT1H, 1h",
        "PT1H0.5S, 3600500ms",
        "PT24H, 1d",
        "PT25H, 25h"
    })
    void writesWhatItReads(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
        assertThat(Durations.parse(text)).hasValue(duration);
    }

    @Test
    void writesNegativeOnesWithASign() {
        assertThat(Durations.text(Duration.ofMinutes(-90))).isEqualTo("-90m");
    }

    @Test
    void readsTheLongestInMilliseconds() {
        assertThat(Durations.parse(Durations.LONGEST.toDays() + "d"))
                .hasValueSatisfying(longest -> assertThat(longest.toMillis()).isPositive());
    }
}
