package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
    private Duration clock = Duration.ofSeconds(-5);
    private final ProgressLines lines = new ProgressLines(() -> clock.toNanos());

    @Test
    void aJobHasALineInASecond() {
        assertThat(lines.next(new Frame.Progress("a", "0.1"))).contains("progress: 0.1\n");
        clock = clock.plusMillis(999);
        assertThat(lines.next(new Frame.Progress("a", "0.2"))).isEmpty();
        clock = clock.plusMillis(1);
        assertThat(lines.next(new Frame.Progress("a", "0.3"))).contains("progress: 0.3\n");
    }

    @Test
    void theNextJobNeedNotWait() {
        assertThat(lines.next(new Frame.Progress("a", "1"))).isPresent();
        assertThat(lines.next(new Frame.Progress("b", "{\"done\":3}"))).contains("progress: {\"done\":3}\n");
    }
}
