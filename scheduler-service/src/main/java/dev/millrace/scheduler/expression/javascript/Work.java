package dev.millrace.scheduler.expression.javascript;

import java.util.concurrent.locks.LockSupport;
import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;

/**
 * Something that a realm's thread does for another thread that waits. Written by the realm's thread and read by the other once
 * {@link #isDone}.
 *
 * @param <T> what it results in
 */
abstract class Work<T> {
    private final Thread waiting = Thread.currentThread();
    private @Nullable T result;
    private @Nullable RuntimeException failure;
    private boolean stopping;
    private volatile boolean begun;
    private volatile boolean done;

    /** Does it, in the realm's thread. */
    abstract T in(Realm realm, Context context);

    void run(Realm realm, Context context) {
        begun = true;
        try {
            result = in(realm, context);
        } catch (RuntimeException failed) {
            failure = failed;
        } catch (StackOverflowError tooDeep) {
            failure = new IllegalStateException("it ran out of stack", tooDeep);
        }
    }

    /** Whether nothing else may run in the realm after it. */
    boolean endsRealm() {
        return false;
    }

    /** Ends it without having done it. */
    void fail(RuntimeException reason) {
        begun = true;
        failure = reason;
    }

    /** Notes that it is going to be stopped; returns false where it ended just before. */
    synchronized boolean beginStop() {
        stopping = !done;
        return stopping;
    }

    synchronized boolean isStopping() {
        return stopping;
    }

    /** Tells the thread that waits. */
    void end() {
        synchronized (this) {
            done = true;
        }
        LockSupport.unpark(waiting);
    }

    boolean hasBegun() {
        return begun;
    }

    boolean isDone() {
        return done;
    }

    @Nullable RuntimeException failure() {
        return failure;
    }

    T result() {
        T value = result;
        if (value == null) {
            throw new IllegalStateException("no result");
        }
        return value;
    }
}
