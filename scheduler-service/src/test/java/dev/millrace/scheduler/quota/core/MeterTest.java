package dev.millrace.scheduler.quota.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MeterTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Meter meter = new Meter();

    @Test
    void isTheAverageOfTheLastWholeSeconds() {
        for (int second = 0; second < 20; second++) {
            meter.add(second, second * SECOND);
        }

        assertThat(meter.perSecond(20 * SECOND)).isEqualTo((15 + 16 + 17 + 18 + 19) / 5.0);
    }

    @Test
    void forgets() {
        meter.add(1_000, 0);

        assertThat(meter.perSecond(SECOND)).isEqualTo(200);
        assertThat(meter.perSecond(7 * SECOND)).isZero();
        meter.add(5, 1_000 * SECOND);
        assertThat(meter.perSecond(1_001 * SECOND)).isEqualTo(1);
    }
}
