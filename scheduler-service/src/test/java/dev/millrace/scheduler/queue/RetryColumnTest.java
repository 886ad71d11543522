package dev.millrace.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryColumnTest {
    @Test
    void readsWhatItWrote() {
        RetryPolicy retry = new RetryPolicy(
                List.of(RetryPhase.linear(2, Duration.ofSeconds(3), 4).steady(true)),
                Duration.ofMinutes(1),
                0.5,
                Duration.ofSeconds(1));

        assertThat(RetryColumn.read(RetryColumn.write(retry))).isEqualTo(retry);
        assertThat(RetryColumn.read(RetryColumn.write(retry.afterTimeout(false))))
                .isEqualTo(retry.afterTimeout(false));
    }

    @Test
    void keepsNoPolicyThatRetriesNothing() {
        assertThat(RetryColumn.write(RetryPolicy.NONE)).isNull();
        assertThat(RetryColumn.read(null)).isEqualTo(RetryPolicy.NONE);
    }
}
