package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;

/** Several observers, each of which learns everything, in this order. */
public record LaneObservers(List<LaneObserver> all) implements LaneObserver {
    public LaneObservers {
        all = List.copyOf(all);
    }

    @Override
    public void committed(int commands, long planNanos, long commitNanos) {
        all.forEach(one -> one.committed(commands, planNanos, commitNanos));
    }

    @Override
    public void rejected() {
        all.forEach(LaneObserver::rejected);
    }

    @Override
    public void databaseLost() {
        all.forEach(LaneObserver::databaseLost);
    }

    @Override
    public void enqueued(QueuedJob job) {
        all.forEach(one -> one.enqueued(job));
    }

    @Override
    public void leased(QueuedJob job, boolean hasWaited) {
        all.forEach(one -> one.leased(job, hasWaited));
    }

    @Override
    public void requeued(QueuedJob job) {
        all.forEach(one -> one.requeued(job));
    }

    @Override
    public void jobEnded(QueuedJob job, Outcome outcome, long runMicros) {
        all.forEach(one -> one.jobEnded(job, outcome, runMicros));
    }

    @Override
    public void runEnded(RunId run, Optional<QueuedJob> root, Outcome outcome) {
        all.forEach(one -> one.runEnded(run, root, outcome));
    }
}
