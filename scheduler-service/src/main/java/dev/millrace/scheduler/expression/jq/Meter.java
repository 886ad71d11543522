package dev.millrace.scheduler.expression.jq;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Meter of the resources that one query uses on its thread. */
final class Meter {
    /** Maximum characters of the input, and of the output, of a query. */
    static final int CHARS_MAX = 4 * 1024 * 1024;
    /** Maximum processor time of one query. */
    static final Duration WORK_MAX = Duration.ofMillis(200);
    /** Maximum bytes that a query may allocate, including garbage. */
    static final long ALLOCATED_BYTES_MAX = 128L << 20;

    private static final int CALLS_BETWEEN_LOOKS = 256;
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ThreadLocal<Meter> CURRENT = ThreadLocal.withInitial(Meter::new);

    /** Exception that ends a query that exceeds a limit. */
    static final class Exceeded extends RuntimeException {
        Exceeded(String what) {
            super(what, null, false, false);
        }
    }

    private final long workBefore = THREADS.getCurrentThreadCpuTime();
    private final long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
    private int calls;

    /** Begins to meter the current thread. */
    static void start() {
        CURRENT.set(new Meter());
    }

    /**
     * Counts a call or an output.
     *
     * @throws Exceeded if the query exceeds a limit
     */
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
