package dev.millrace.scheduler.limit.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobLimit.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class AdvanceTest {
    private static final Rate TWO_A_MINUTE = new Rate(2, Duration.ofMinutes(1));

    @Test
    void letsAllGoThatFindAPlace() {
        assertThat(Advance.of(List.of(places(2), places(2)), 0, _ -> 0)).isEqualTo(new Advance(2, Optional.empty()));
        assertThat(Advance.of(List.of(places(2), places(2)), 1, _ -> 0)).isEqualTo(new Advance(1, Optional.empty()));
        assertThat(Advance.of(List.of(places(2)), 2, _ -> 0)).isEqualTo(new Advance(0, Optional.empty()));
    }

    @Test
    void letsAllGoThatTheRateAllows() {
        assertThat(Advance.of(List.of(rate(), rate(), rate()), 9, _ -> 0))
                .isEqualTo(new Advance(2, Optional.of(TWO_A_MINUTE)));
        assertThat(Advance.of(List.of(rate()), 9, _ -> 2)).isEqualTo(new Advance(0, Optional.of(TWO_A_MINUTE)));
    }

    @Test
    void countsOnlyThoseWithARateAgainstARate() {
        assertThat(Advance.of(List.of(places(9), places(9), rate()), 0, _ -> 1))
                .isEqualTo(new Advance(3, Optional.empty()));
    }

    @Test
    void letsNobodyOvertakeTheFirstWhoseNumbersDecide() {
        assertThat(Advance.of(List.of(places(1), places(9)), 1, _ -> 0)).isEqualTo(new Advance(0, Optional.empty()));
        assertThat(Advance.of(List.of(places(9), places(1)), 1, _ -> 0)).isEqualTo(new Advance(1, Optional.empty()));
    }

    @Test
    void looksAtTheTimeThatEachAsksFor() {
        Rate hour = new Rate(5, Duration.ofHours(1));
        JobLimit both = new JobLimit("k", OptionalInt.of(3), Optional.of(hour));

        assertThat(Advance.of(List.of(rate(), both), 0, per -> per.equals(hour.per()) ? 4 : 0))
                .isEqualTo(new Advance(1, Optional.of(hour)));
    }

    private static JobLimit places(int max) {
        return new JobLimit("k", OptionalInt.of(max), Optional.empty());
    }

    private static JobLimit rate() {
        return new JobLimit("k", OptionalInt.empty(), Optional.of(TWO_A_MINUTE));
    }
}
