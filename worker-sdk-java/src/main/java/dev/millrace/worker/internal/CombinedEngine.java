package dev.millrace.worker.internal;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.ProcessReport;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.internal.session.JobEngine;
import dev.millrace.worker.internal.session.LeasedJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Engine of two engines, one for jobs of a kind and one for all others. */
public final class CombinedEngine implements JobEngine {
    private final JobEngine others;
    private final Predicate<LeasedJob> isOfKind;
    private final JobEngine ofKind;

    public CombinedEngine(JobEngine others, Predicate<LeasedJob> isOfKind, JobEngine ofKind) {
        this.others = requireNonNull(others, "others");
        this.isOfKind = requireNonNull(isOfKind, "isOfKind");
        this.ofKind = requireNonNull(ofKind, "ofKind");
    }

    @Override
    public void accept(LeasedJob job) {
        of(job).accept(job);
    }

    @Override
    public void goOn() {
        others.goOn();
        ofKind.goOn();
    }

    @Override
    public void onRoomChange(Consumer<List<SlotGroup>> listener) {
        others.onRoomChange(listener);
        ofKind.onRoomChange(listener);
    }

    @Override
    public void noteTurnaround(long nanos) {
        others.noteTurnaround(nanos);
        ofKind.noteTurnaround(nanos);
    }

    @Override
    public void stop(LeasedJob job, String reason) {
        of(job).stop(job, reason);
    }

    @Override
    public void drain() {
        others.drain();
        ofKind.drain();
    }

    /** Only one engine of a worker has processes. */
    @Override
    public Optional<ProcessReport> processes() {
        return others.processes().or(ofKind::processes);
    }

    @Override
    public boolean wantsVersionChanges() {
        return others.wantsVersionChanges() || ofKind.wantsVersionChanges();
    }

    @Override
    public void versionsChanged(boolean isTold) {
        others.versionsChanged(isTold);
        ofKind.versionsChanged(isTold);
    }

    @Override
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        long endNanos = System.nanoTime() + timeout.toNanos();
        boolean idle = others.awaitIdle(timeout);
        return ofKind.awaitIdle(Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()))) && idle;
    }

    @Override
    public void close() {
        others.close();
        ofKind.close();
    }

    private JobEngine of(LeasedJob job) {
        return isOfKind.test(job) ? ofKind : others;
    }
}
