package dev.millrace.scheduler.run.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealingPauseTest {
    @ParameterizedTest
    @CsvSource({
        "0, false, 500",
        "4999, false, 500",
        "5000, false, 1000",
        "59999, false, 1000",
        "60000, false, 2000",
        "5000, true, 500",
        "59999, true, 500",
        "60000, true, 1000"
    })
    void isLongerTheLongerARunIsQuiet(long quietMillis, boolean isRunning, long expectedMillis) {
        assertThat(HealingPause.after(Duration.ofMillis(quietMillis), isRunning))
                .isEqualTo(Duration.ofMillis(expectedMillis));
    }
}
