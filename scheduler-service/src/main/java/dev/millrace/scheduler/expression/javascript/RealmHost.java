package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.evaluator.EngineStuck;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;

/**
 * The realm of this process. Whoever evaluates waits, and meanwhile watches over what the realm's thread uses up; a script that cannot be stopped
 * ends the process.
 */
final class RealmHost {
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Longest wait for the engine to start, and for a realm to be opened anew. */
    private static final Duration OPEN_MAX = Duration.ofSeconds(60);

    private final Realm realm;

    RealmHost() {
        // Without its own compiler the engine interprets, which is meant: the warning about it says nothing to whoever
        // runs a scheduler.
        Engine engine = Engine.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
        this.realm = new Realm(engine, "expression");
        realm.start();
    }

    /** What a script results in, as JSON. */
    String evaluate(Evaluation evaluation) {
        Duration workMax = Limits.WORK_MAX.plus(Limits.WORK_PER_CHAR.multipliedBy(evaluation.chars()));
        return run(evaluation.source(), evaluation, workMax, Limits.WAIT_MAX);
    }

    /** Checks that a function can be parsed; throws {@link ScriptInvalid} where not. */
    void parse(String source, Parsing parsing) {
        run(source, parsing, Limits.PARSE_MAX, Limits.PARSE_MAX.multipliedBy(2));
    }

    private <T> T run(String source, Work<T> work, Duration workMax, Duration waitMax) {
        realm.give(work);
        String stopped = await(work, workMax, waitMax);
        if (!work.isDone()) {
            throw new EngineStuck(stopped);
        }
        RuntimeException failure = work.failure();
        if (!stopped.isEmpty() && Failures.endsContext(failure)) {
            throw Failures.limit(source, stopped);
        }
        if (failure instanceof ScriptInvalid invalid) {
            throw invalid;
        }
        if (failure != null) {
            throw Failures.stopped(source, failure);
        }
        return work.result();
    }

    /** Waits for the end, and stops what takes too much; returns why it did, empty where it did not. */
    private String await(Work<?> work, Duration workMax, Duration waitMax) {
        long start = System.nanoTime();
        while (!work.hasBegun() && !work.isDone() && System.nanoTime() - start < OPEN_MAX.toNanos()) {
            LockSupport.parkNanos(work, Limits.LOOK_INTERVAL.toNanos());
        }
        Watch watch = new Watch(realm.threadId(), workMax, waitMax);
        String excess = "";
        while (!work.isDone() && excess.isEmpty()) {
            LockSupport.parkNanos(work, Limits.LOOK_INTERVAL.toNanos());
            excess = work.isDone() ? "" : watch.excess();
        }
        // Asked for before it is known that the work is not done: later it may be the context of what comes next.
        Context running = realm.context();
        if (excess.isEmpty() || !work.beginStop()) {
            return "";
        }
        if (running != null) {
            Thread.ofVirtual().name("expression-stop").start(() -> stop(running));
        }
        long stopped = System.nanoTime();
        while (!work.isDone() && System.nanoTime() - stopped < Limits.STOP_MAX.toNanos()) {
            LockSupport.parkNanos(work, Limits.LOOK_INTERVAL.toNanos());
        }
        return excess;
    }

    /** Stops what runs in a context, which does not survive it. Waits until it has stopped. */
    private static void stop(Context running) {
        try {
            running.close(true);
        } catch (org.graalvm.polyglot.PolyglotException | IllegalStateException closing) {
            // What ran there ends with its own exception.
        }
    }

    /** What a thread uses up; begins to count when first asked, which only long evaluations see. */
    private static final class Watch {
        private final long thread;
        private final Duration workMax;
        private final Duration waitMax;
        private final long start = System.nanoTime();
        private long workBefore = -1;
        private long bytesBefore;

        Watch(long thread, Duration workMax, Duration waitMax) {
            this.thread = thread;
            this.workMax = workMax;
            this.waitMax = waitMax;
        }

        String excess() {
            long work = THREADS.getThreadCpuTime(thread);
            long bytes = THREADS.getThreadAllocatedBytes(thread);
            if (workBefore < 0) {
                workBefore = work;
                bytesBefore = bytes;
            }
            if (work - workBefore > workMax.toNanos() || System.nanoTime() - start > waitMax.toNanos()) {
                return "it took longer than " + workMax.toMillis() + " ms";
            }
            return bytes - bytesBefore > Limits.ALLOCATED_BYTES_MAX
                    ? "it used more than " + (Limits.ALLOCATED_BYTES_MAX >> 20) + " MiB of memory"
                    : "";
        }
    }
}
