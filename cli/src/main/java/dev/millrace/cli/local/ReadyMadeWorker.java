package dev.millrace.cli.local;

import dev.millrace.handler.BuiltInHandlers;
import dev.millrace.worker.HandlerSlots;
import dev.millrace.worker.ScriptWorker;
import dev.millrace.worker.ScriptWorkerOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Worker that the commands start: runs scripts and the built-in handlers. */
final class ReadyMadeWorker implements AutoCloseable {
    private final ScriptWorker worker;
    private final @Nullable BuiltInHandlers handlers;

    private ReadyMadeWorker(ScriptWorker worker, @Nullable BuiltInHandlers handlers) {
        this.worker = worker;
        this.handlers = handlers;
    }

    /**
     * Does all that needs no scheduler; {@link #connect} does the rest. Afterwards scripts cannot read this process's
     * environment.
     */
    static ReadyMadeWorker prepare(ScriptWorkerOptions options, HandlerSettings settings) {
        HiddenMemory.hide();
        if (settings.slots() == 0) {
            return new ReadyMadeWorker(ScriptWorker.prepare(options), null);
        }
        BuiltInHandlers handlers = new BuiltInHandlers(settings.http(), settings.kafka());
        try {
            HandlerSlots slots = new HandlerSlots(handlers.byName(), settings.slots(), settings.slots());
            return new ReadyMadeWorker(ScriptWorker.prepare(options.withHandlers(slots)), handlers);
        } catch (RuntimeException failure) {
            handlers.close();
            throw failure;
        }
    }

    /** Lets metrics show the processes of this worker. */
    void measure(WorkerMetrics metrics) {
        worker.observe(metrics);
    }

    /** Lets owners of the installation kill this worker, which calls the action. */
    void obeyKill(Runnable action) {
        worker.obeyKill(action);
    }

    /** Behaves as if the worker's process crashed. */
    void abandon() {
        worker.abandon();
        if (handlers != null) {
            handlers.close();
        }
    }

    /** Connects in the background and begins to take jobs. */
    void connect() {
        worker.connect();
    }

    boolean awaitConnected(Duration timeout) throws InterruptedException {
        return worker.awaitConnected(timeout);
    }

    @Override
    public void close() {
        worker.close();
        if (handlers != null) {
            handlers.close();
        }
    }
}
