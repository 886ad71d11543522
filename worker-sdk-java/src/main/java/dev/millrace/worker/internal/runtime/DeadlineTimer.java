package dev.millrace.worker.internal.runtime;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Timer for a sequence of deadlines, most of which are moved before they are due. Moving one costs only a field: the
 * scheduled task compares the deadline when it runs, and then reschedules itself.
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

    /** Schedules the action after this delay, in place of any earlier action. */
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
            // The worker is closing: no deadline is due any more.
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
