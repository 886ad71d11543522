package dev.millrace.bench.system;

import java.time.Duration;

/** Waits for a state that sends no event: checks it repeatedly until a limit. */
public final class Waiting {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private Waiting() {}

    /** A condition that can be checked. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws Exception;
    }

    public static void until(String awaited, Duration limit, Condition condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!holds(awaited, condition)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Waited " + limit.toSeconds() + " s in vain until " + awaited + ".");
            }
            Thread.sleep(INTERVAL);
        }
    }

    private static boolean holds(String awaited, Condition condition) throws InterruptedException {
        try {
            return condition.holds();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Cannot tell whether " + awaited + ".", e);
        }
    }
}
