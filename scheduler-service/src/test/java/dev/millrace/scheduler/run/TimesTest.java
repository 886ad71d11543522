package dev.millrace.scheduler.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimesTest {
    private static final Instant CREATED = Instant.parse("2026-01-31T08:00:00Z");

    @Test
    void countsWaitingApartFromRunning() {
        Times times = new Times(CREATED, Optional.of(CREATED.plusMillis(500)), Optional.of(CREATED.plusMillis(3_100)));

        assertThat(times.waited()).contains(Duration.ofMillis(500));
        assertThat(times.ran()).contains(Duration.ofMillis(2_600));
    }

    @Test
    void doesNotCountWhatRanBeforeARerun() {
        Times times = new Times(CREATED, Optional.of(CREATED.minusSeconds(57)), Optional.of(CREATED.plusMillis(820)))
                .startedSinceCreated();

        assertThat(times.started()).contains(CREATED);
        assertThat(times.ran()).contains(Duration.ofMillis(820));
    }

    @Test
    void hasNoDurationsBeforeTheStart() {
        assertThat(Times.created(CREATED).startedSinceCreated().waited()).isEmpty();
        assertThat(Times.created(CREATED).ran()).isEmpty();
    }
}
