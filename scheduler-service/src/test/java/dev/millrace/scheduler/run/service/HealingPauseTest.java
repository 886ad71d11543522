package dev.millrace.scheduler.run.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealingPauseTest {
    @ParameterizedTest
    @CsvSource({"0, 500", "4999, 500", "5000, 2000", "59999, 2000", "60000, 10000"})
    void isLongerTheLongerARunIsQuiet(long quietMillis, long expectedMillis) {
        assertThat(HealingPause.after(Duration.ofMillis(quietMillis))).isEqualTo(Duration.ofMillis(expectedMillis));
    }
}
