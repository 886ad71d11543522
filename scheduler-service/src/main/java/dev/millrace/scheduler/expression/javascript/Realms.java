package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.Scope;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.jspecify.annotations.Nullable;

/**
 * The realms of this process: a few, made when first needed. Whoever evaluates waits, and meanwhile watches over what the realm's
 * thread uses up; so a script that cannot be stopped holds up a realm, but never the thread that asked.
 */
final class Realms {
    private static final Realms SHARED = new Realms();
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Semaphore free = new Semaphore(Limits.REALMS_MAX);
    private final ConcurrentLinkedDeque<Realm> idle = new ConcurrentLinkedDeque<>();
    private final AtomicInteger made = new AtomicInteger();
    /** Whether the engine has started, which takes its time once. */
    private volatile boolean started;

    /** The engine, which holds what realms share: the code that they have parsed. */
    private static final class Shared {
        // Without its own compiler the engine interprets, which is meant: the warning about it says nothing to whoever
        // runs a scheduler.
        private static final Engine ENGINE = Engine.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
    }

    private Realms() {}

    /** What a script results in, as JSON. */
    static String evaluate(Script script, List<@Nullable String> texts, Scope scope) {
        int chars = 0;
        for (String text : texts) {
            chars += text == null ? 0 : text.length();
        }
        Duration workMax = Limits.WORK_MAX.plus(Limits.WORK_PER_CHAR.multipliedBy(chars));
        return SHARED.run(
                script.source(), new Evaluation(script, texts, scope), workMax, Limits.WAIT_MAX, Limits.QUEUE_MAX);
    }

    /** Checks that a function can be parsed; throws {@link ScriptInvalid} where not. */
    static void parse(String source, Parsing parsing) {
        SHARED.run(source, parsing, Limits.PARSE_MAX, Limits.PARSE_MAX.multipliedBy(2), Limits.PARSE_QUEUE_MAX);
    }

    private <T> T run(String source, Work<T> work, Duration workMax, Duration waitMax, Duration queueMax) {
        Duration patience = started ? queueMax : Limits.START_MAX;
        if (!acquire(patience)) {
            throw Failures.limit(
                    source,
                    "others have kept all " + Limits.REALMS_MAX + " engines busy for " + patience.toSeconds() + " s");
        }
        Realm realm = take();
        realm.give(work);
        String stopped = await(realm, work, workMax, waitMax);
        if (!work.isDone() && work.abandon()) {
            throw Failures.limit(source, stopped + ", and could not be interrupted");
        }
        putBack(realm);
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

    private boolean acquire(Duration patience) {
        try {
            return free.tryAcquire() || free.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new EvaluationFailed(
                    "ExpressionLimit", "An expression was not evaluated: the scheduler is stopping.");
        }
    }

    private Realm take() {
        Realm known = idle.pollFirst();
        if (known != null) {
            return known;
        }
        Realm fresh = new Realm(Shared.ENGINE, "millrace-expression-" + made.incrementAndGet(), this::putBack);
        fresh.start();
        return fresh;
    }

    private void putBack(Realm realm) {
        started = true;
        idle.addFirst(realm);
        free.release();
    }

    /** Waits for the end, and stops what takes too much; returns why it did, empty where it did not. */
    private static String await(Realm realm, Work<?> work, Duration workMax, Duration waitMax) {
        long start = System.nanoTime();
        while (!work.hasBegun() && !work.isDone() && System.nanoTime() - start < Limits.START_MAX.toNanos()) {
            LockSupport.parkNanos(work, Limits.LOOK_INTERVAL.toNanos());
        }
        Watch watch = new Watch(realm.threadId(), workMax, waitMax);
        String excess = "";
        while (!work.isDone() && excess.isEmpty()) {
            LockSupport.parkNanos(work, Limits.LOOK_INTERVAL.toNanos());
            excess = work.isDone() ? "" : watch.excess();
        }
        // Asked for before it is known that the work is not done: later it may be the context of whoever comes next.
        Context running = realm.context();
        if (excess.isEmpty() || !work.beginStop()) {
            return "";
        }
        if (running != null) {
            Thread.ofVirtual().name("millrace-expression-stop").start(() -> stop(running));
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
