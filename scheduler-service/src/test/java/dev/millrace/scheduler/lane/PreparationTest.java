package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a preparation that the database fails. */
class PreparationTest {
    private final List<Preparation> done = new ArrayList<>();
    private final Preparation preparation = new Preparation(
            () -> {
                throw new MillraceException(ErrorCode.DATABASE_UNAVAILABLE, "There are too many connections.");
            },
            done::add);

    /** The lane has a connection of its own, and would repeat the preparation as fast as it can. */
    @Test
    void isRepeatedAfterAPause() {
        long begun = System.nanoTime();

        preparation.runHere();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Preparation.PAUSE_AFTER_FAILURE);
        assertThat(done).containsExactly(preparation);
        assertThat(preparation.isCanceled()).isTrue();
        assertThat(preparation.failure()).isEmpty();
    }

    @Test
    void leavesNoInterruptBehindIfItIsCanceledMeanwhile() {
        preparation.cancel();

        preparation.runHere();

        assertThat(done).containsExactly(preparation);
        assertThat(Thread.interrupted()).isFalse();
    }
}
