package dev.millrace.worker;

import dev.millrace.worker.internal.RunningWorker;
import java.time.Duration;

/**
 * A worker that runs jobs in Java handlers.
 *
 * <pre>{@code
 * try (Worker worker = Worker.connect("localhost:8401")
 *         .name("images")
 *         .slots(8)
 *         .handle("resize", context -> {
 *             Request request = context.inputAs(Request.class);
 *             context.log("resizing " + request.file());
 *             return new Response(resize(request));
 *         })
 *         .start()) {
 *     Thread.currentThread().join();
 * }
 * }</pre>
 *
 * <p>Until it is closed, it reconnects automatically, keeps its jobs while the connection is lost, and sends results until
 * the scheduler has acknowledged them. Thread-safe.
 */
public final class Worker implements AutoCloseable {
    private final RunningWorker running;

    Worker(RunningWorker running) {
        this.running = running;
    }

    /** Begins to configure a worker of the scheduler at this address, for example {@code localhost:8401}. */
    public static WorkerBuilder connect(String target) {
        return new WorkerBuilder(target);
    }

    /** Waits for the first connection; false if the timeout expires. */
    public boolean awaitConnected(Duration timeout) throws InterruptedException {
        return running.awaitConnected(timeout);
    }

    /** Stops taking jobs, lets running ones end within the stop timeout, and delivers their results. */
    @Override
    public void close() {
        running.close();
    }
}
