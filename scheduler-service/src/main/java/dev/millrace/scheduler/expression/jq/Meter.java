package dev.millrace.scheduler.expression.jq;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Measures what one query uses up, in its own thread. */
final class Meter {
    /** Most characters of what a query reads, and of what it puts out. */
    static final int CHARS_MAX = 4 * 1024 * 1024;
    /** Longest work of one query, in processor time. */
    static final Duration WORK_MAX = Duration.ofMillis(200);
    /** Most bytes that a query may allocate, garbage included. */
    static final long ALLOCATED_BYTES_MAX = 128L << 20;

    private static final int CALLS_BETWEEN_LOOKS = 256;
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ThreadLocal<Meter> CURRENT = ThreadLocal.withInitial(Meter::new);

    /** Ends a query that uses too much. */
    static final class Exceeded extends RuntimeException {
        Exceeded(String what) {
            super(what, null, false, false);
        }
    }

    private final long workBefore = THREADS.getCurrentThreadCpuTime();
    private final long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    private int calls;

    /** Begins to measure in this thread. */
    static void start() {
        CURRENT.set(new Meter());
    }

    /** Counts a call or an output; throws {@link Exceeded}. */
    static void tick() {
        CURRENT.get().count();
    }

    private void count() {
        if (++calls % CALLS_BETWEEN_LOOKS == 0) {
            if (THREADS.getCurrentThreadCpuTime() - workBefore > WORK_MAX.toNanos()) {
                throw new Exceeded("it took longer than " + WORK_MAX.toMillis() + " ms");
            }
            if (THREADS.getCurrentThreadAllocatedBytes() - bytesBefore > ALLOCATED_BYTES_MAX) {
                throw new Exceeded("it used more than " + (ALLOCATED_BYTES_MAX >> 20) + " MiB of memory");
            }
        }
    }
}
