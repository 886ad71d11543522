package dev.millrace.worker.internal.handler;

import dev.millrace.worker.internal.runtime.DeadlineTimer;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;

/** Thread that runs one attempt after another, with a timer that ends the current one. */
final class HandlerThread extends Thread {
    private final DeadlineTimer timer;

    HandlerThread(Runnable task, String name, ScheduledExecutorService timers) {
        super(task, name);
        this.timer = new DeadlineTimer(timers);
        setDaemon(true);
    }

    void begin(HandlerRun run, Duration timeout) {
        if (!timeout.isZero()) {
            timer.arm(timeout.toNanos(), run::timeOut);
        }
    }

    /** Also clears an interrupt that was meant for the previous attempt. */
    void end() {
        timer.disarm();
        boolean unused = Thread.interrupted();
    }
}
