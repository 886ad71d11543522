package dev.millrace.worker.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DeadlineTimerTest {
    private static final long SOON = Duration.ofMillis(20).toNanos();
    private static final long LATER = Duration.ofMillis(60).toNanos();
    private static final long NEVER = Duration.ofHours(1).toNanos();

    private final ScheduledExecutorService executor = Threads.timer("test-timer");
    private final BlockingQueue<String> fired = new LinkedBlockingQueue<>();
    private final DeadlineTimer timer = new DeadlineTimer(executor);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    private String awaitFired() throws InterruptedException {
        return String.valueOf(fired.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void firesWhenItsTimeComes() throws Exception {
        timer.arm(SOON, () -> fired.add("soon"));

        assertThat(awaitFired()).isEqualTo("soon");
    }

    @Test
    void firesOnlyTheLastDeadline() throws Exception {
        timer.arm(SOON, () -> fired.add("first"));
        timer.arm(LATER, () -> fired.add("second"));

        assertThat(awaitFired()).isEqualTo("second");
        assertThat(fired).isEmpty();
    }

    @Test
    void movesADeadlineForward() throws Exception {
        timer.arm(NEVER, () -> fired.add("never"));
        timer.arm(SOON, () -> fired.add("soon"));

        assertThat(awaitFired()).isEqualTo("soon");
    }

    @Test
    void doesNotFireOnceDisarmed() throws Exception {
        DeadlineTimer other = new DeadlineTimer(executor);
        timer.arm(SOON, () -> fired.add("disarmed"));
        timer.disarm();
        other.arm(LATER, () -> fired.add("other"));

        assertThat(awaitFired()).isEqualTo("other");
        assertThat(fired).isEmpty();
    }
}
