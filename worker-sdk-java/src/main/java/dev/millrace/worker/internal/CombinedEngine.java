package dev.millrace.worker.internal;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.LeasedJob;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Engine of two engines, one for scripts and one for handlers. */
public final class CombinedEngine implements JobEngine {
    private final JobEngine scripts;
    private final JobEngine handlers;

    public CombinedEngine(JobEngine scripts, JobEngine handlers) {
        this.scripts = requireNonNull(scripts, "scripts");
        this.handlers = requireNonNull(handlers, "handlers");
    }

    @Override
    public void accept(LeasedJob job) {
        of(job).accept(job);
    }

    @Override
    public void goOn() {
        scripts.goOn();
        handlers.goOn();
    }

    @Override
    public void onRoomChange(Consumer<List<SlotGroup>> listener) {
        scripts.onRoomChange(listener);
        handlers.onRoomChange(listener);
    }

    @Override
    public void noteTurnaround(long nanos) {
        scripts.noteTurnaround(nanos);
        handlers.noteTurnaround(nanos);
    }

    @Override
    public void stop(LeasedJob job, String reason) {
        of(job).stop(job, reason);
    }

    @Override
    public void drain() {
        scripts.drain();
        handlers.drain();
    }

    @Override
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long endNanos = System.nanoTime() + timeout.toNanos();
        boolean idle = scripts.awaitIdle(timeout);
        return handlers.awaitIdle(Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()))) && idle;
    }

    @Override
    public void close() {
        scripts.close();
        handlers.close();
    }

    private JobEngine of(LeasedJob job) {
        return job.lease().hasHandler() ? handlers : scripts;
    }
}
