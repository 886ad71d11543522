package dev.millrace.scheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoopTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final long PATIENCE_SECONDS = 60;

    private final Semaphore runs = new Semaphore(0);

    @Test
    void runsOnStartAndWhenItIsWoken() throws InterruptedException {
        try (Loop loop = Loop.start("test", LONG, runs::release)) {
            awaitRuns(1);
            loop.wake();
            awaitRuns(1);
        }
    }

    @Test
    void runsAgainWhenTheTimeIsOverThatItsLastRunHasTold() throws InterruptedException {
        var times = new AtomicInteger();
        try (Loop loop = Loop.of("test", () -> {
            runs.release();
            return times.incrementAndGet() < 3 ? Duration.ofMillis(1) : LONG;
        })) {
            loop.start();
            awaitRuns(3);
        }
        assertThat(times).hasValue(3);
    }

    @Test
    void goesOnAfterAFailure() throws InterruptedException {
        try (Loop _ = Loop.start("test", Duration.ofMillis(1), () -> {
            runs.release();
            throw new IllegalStateException("made by the test");
        })) {
            awaitRuns(2);
        }
    }

    @Test
    void waitsForThePresentRunWhenItIsClosed() throws InterruptedException {
        var closing = new CountDownLatch(1);
        var done = new AtomicBoolean();
        Loop loop = Loop.of("test", () -> {
            runs.release();
            closing.await();
            done.set(true);
            return LONG;
        });
        loop.start();
        awaitRuns(1);
        Thread.ofVirtual().start(() -> {
            while (!loop.isClosed()) {
                Thread.onSpinWait();
            }
            closing.countDown();
        });

        loop.close();

        assertThat(done).isTrue();
    }

    @Test
    void mayBeWokenAndClosedWithoutHavingBeenStarted() {
        Loop loop = Loop.of("test", () -> LONG);

        loop.wake();
        loop.close();

        assertThat(loop.isClosed()).isTrue();
    }

    private void awaitRuns(int count) throws InterruptedException {
        assertThat(runs.tryAcquire(count, PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("%s more runs", count)
                .isTrue();
    }
}
