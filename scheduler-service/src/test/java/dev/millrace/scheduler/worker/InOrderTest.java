package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class InOrderTest {
    private final InOrder order = new InOrder();

    @Test
    void runsTasksThatDoNotBlockAtOnceOnTheSameThread() {
        var threads = new ConcurrentLinkedQueue<Thread>();
        order.now(() -> threads.add(Thread.currentThread()));
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void runsLaterTasksAfterATaskThatBlocks() throws Exception {
        var handled = new ConcurrentLinkedQueue<String>();
        var release = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        order.later(() -> {
            awaitQuietly(release);
            handled.add("first");
        });
        order.now(() -> handled.add("second"));
        order.later(() -> {
            handled.add("third");
            done.countDown();
        });
        assertThat(handled).isEmpty();
        release.countDown();
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(handled).containsExactly("first", "second", "third");
    }

    @Test
    void continuesAfterAFailure() throws Exception {
        var done = new CountDownLatch(1);
        order.later(() -> {
            throw new IllegalStateException("a bug");
        });
        order.later(done::countDown);
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void keepsTheOrderOfManyMixedTasks() throws Exception {
        Random random = new Random(7);
        int count = 200_000;
        var handled = new ConcurrentLinkedQueue<Integer>();
        var done = new CountDownLatch(1);
        for (int i = 0; i < count; i++) {
            int number = i;
            Runnable task = () -> handled.add(number);
            if (random.nextInt(50) == 0) {
                order.later(task);
            } else {
                order.now(task);
            }
        }
        order.later(done::countDown);
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(List.copyOf(handled)).hasSize(count).isSorted();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
