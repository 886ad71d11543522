package dev.millrace.worker.internal.runtime;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A timer for one deadline after another, made for deadlines that are mostly moved on before they come due: moving one costs a field, since
 * the task that is already scheduled looks at the deadline when it runs, and only then schedules itself anew.
 */
public final class DeadlineTimer {
    private final ScheduledExecutorService executor;
    private @Nullable Runnable action;
    private long deadlineNanos;
    private boolean scheduled;
    private long scheduledNanos;

    public DeadlineTimer(ScheduledExecutorService executor) {
        this.executor = requireNonNull(executor, "executor");
    }

    /** Runs the action after this time, instead of any action set before. */
    public synchronized void arm(long delayNanos, Runnable onDeadline) {
        action = requireNonNull(onDeadline, "onDeadline");
        deadlineNanos = System.nanoTime() + delayNanos;
        if (!scheduled || scheduledNanos - deadlineNanos > 0) {
            schedule();
        }
    }

    public synchronized void disarm() {
        action = null;
    }

    private void schedule() {
        scheduled = true;
        scheduledNanos = deadlineNanos;
        long due = scheduledNanos;
        try {
            var unused = executor.schedule(() -> run(due), deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The worker is closing: nothing comes due any more.
            action = null;
        }
    }

    private void run(long due) {
        Runnable dueAction;
        synchronized (this) {
            if (due != scheduledNanos) {
                return;
            }
            scheduled = false;
            if (action == null) {
                return;
            }
            if (deadlineNanos - System.nanoTime() > 0) {
                schedule();
                return;
            }
            dueAction = action;
            action = null;
        }
        dueAction.run();
    }
}
