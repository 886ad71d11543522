package dev.millrace.scheduler.activity;

import dev.millrace.scheduler.activity.core.Activity;
import dev.millrace.scheduler.lane.LaneObserver;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.run.search.KindOfRun;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts what workspaces do, and stores the counts from time to time, so that lanes write nothing for them. A scheduler
 * that is killed loses the counts of {@link #INTERVAL}. Waits are differences between the clocks of schedulers, so they are
 * for people only. Thread-safe.
 */
final class ActivityCounter implements LaneObserver, AutoCloseable {
    /** Time between two writes. Nothing is written while nothing happens. */
    static final Duration INTERVAL = Duration.ofSeconds(10);
    /** Maximum number of workspaces that are counted, at about 1 KiB each; what further ones do is not counted. */
    static final int WORKSPACES_MAX = 5_000;

    private static final int MILLIS_SHIFT = 16;

    private final ActivityStore store;
    private final InstantSource clock;
    private final Map<Workspace, ActivityCounts> byWorkspace = new ConcurrentHashMap<>();
    private final Loop loop = Loop.of("activity", () -> {
        store();
        return INTERVAL;
    });

    ActivityCounter(ActivityStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    void start() {
        loop.start();
    }

    /** Stores what was counted. If that fails, the counts are kept for the next time. */
    synchronized void store() {
        Map<Workspace, Activity> taken = new HashMap<>();
        byWorkspace.forEach((workspace, counts) -> counts.take().ifPresent(activity -> taken.put(workspace, activity)));
        if (taken.isEmpty()) {
            return;
        }
        try {
            store.add(taken);
        } catch (RuntimeException failure) {
            taken.forEach((workspace, activity) -> find(workspace).ifPresent(counts -> counts.putBack(activity)));
            throw failure;
        }
    }

    /** Stores what is left. Call it after the lanes have stopped. */
    @Override
    public void close() {
        loop.close();
        store();
    }

    private Optional<ActivityCounts> find(Workspace workspace) {
        // A plain lookup first: computeIfAbsent may lock.
        ActivityCounts known = byWorkspace.get(workspace);
        if (known == null && byWorkspace.size() < WORKSPACES_MAX) {
            known = byWorkspace.computeIfAbsent(workspace, _ -> new ActivityCounts());
        }
        return Optional.ofNullable(known);
    }

    @Override
    public void enqueued(QueuedJob job) {
        if (job.isRoot() && !isPreparation(job)) {
            find(job.workspace()).ifPresent(ActivityCounts::addAccepted);
        }
    }

    @Override
    public void leased(QueuedJob job, boolean hasWaited) {
        if (job.attempt() == 1) {
            long millis = hasWaited ? clock.millis() - (job.id().value().getMostSignificantBits() >>> MILLIS_SHIFT) : 0;
            find(job.workspace()).ifPresent(counts -> counts.addWait(millis));
        }
    }

    @Override
    public void runEnded(RunId run, Optional<QueuedJob> root, Outcome outcome) {
        root.filter(job -> !isPreparation(job))
                .flatMap(job -> find(job.workspace()))
                .ifPresent(counts -> addEnd(counts, outcome));
    }

    private static void addEnd(ActivityCounts counts, Outcome outcome) {
        switch (outcome) {
            case Outcome.Succeeded _, Outcome.Skipped _ -> counts.addSucceeded();
            case Outcome.Failed _ -> counts.addFailed();
            case Outcome.Canceled _ -> counts.addCanceled();
        }
    }

    private static boolean isPreparation(QueuedJob root) {
        return KindOfRun.isPreparation(root.kind(), root.name());
    }
}
