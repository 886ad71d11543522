package dev.millrace.scheduler.workspace;

import dev.millrace.scheduler.access.RightsChanged;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes workspaces with all that they hold, in batches. The state of the workspace says that it is to be deleted, and the
 * rows that are left say how far the deletion has come; so any scheduler continues what another one has begun.
 */
public final class WorkspaceDeletion implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WorkspaceDeletion.class);

    /** Time after which every scheduler knows that a workspace is archived, so that no new work comes. */
    public static final Duration SETTLING = Duration.ofSeconds(30);

    private static final Duration CLAIM_TIME = Duration.ofMinutes(1);
    private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(10);
    /** How often to look for a deletion that another scheduler has left behind, and whether runs have ended. */
    private static final Duration INTERVAL_WHILE_DELETING = Duration.ofSeconds(2);

    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(30);

    /** Maximum number of runs that are canceled at a time. */
    private static final int CANCEL_MAX = 200;

    private static final OperationNote NOTE = new OperationNote("millrace", "The workspace is being deleted.", "");

    private final DeletionStore store;
    private final RunOperations runs;
    private final WorkspaceDirectory directory;
    private final EventBus bus;
    private final Duration settling;
    private final Loop loop = Loop.of("workspace-deletion", this::run);
    /** When the claim was renewed; only the loop uses this field. */
    private long renewedNanos;

    /** @param settling time since a workspace was archived, after which it is deleted */
    public WorkspaceDeletion(
            Database database, RunOperations runs, WorkspaceDirectory directory, EventBus bus, Duration settling) {
        this.store = new DeletionStore(database);
        this.runs = runs;
        this.directory = directory;
        this.bus = bus;
        this.settling = settling;
    }

    public WorkspaceDeletion start() {
        loop.start();
        return this;
    }

    /** Looks for workspaces to delete at once. */
    public void wake() {
        loop.wake();
    }

    @Override
    public void close() {
        loop.close();
    }

    private Duration run() {
        if (!store.isAny()) {
            return HEALING_INTERVAL;
        }
        runOnce();
        return INTERVAL_WHILE_DELETING;
    }

    /** Deletes as much as is possible now of a workspace. */
    void runOnce() {
        Optional<Workspace> claimed = store.claim(CLAIM_TIME, settling);
        if (claimed.isEmpty()) {
            return;
        }
        Workspace key = claimed.get();
        renewedNanos = System.nanoTime();
        try {
            if (delete(key)) {
                store.finish(key);
                directory.changed();
                bus.publish(new RightsChanged());
                log.atInfo().addKeyValue("workspace", key).log("A workspace has been deleted");
            }
        } finally {
            store.renew(key, Duration.ZERO);
        }
    }

    /** Returns whether nothing is left of the workspace. */
    private boolean delete(Workspace key) {
        WorkspaceTables.BEFORE_RUNS.forEach(table -> drain(table, key));
        cancelRuns(key);
        if (loop.isClosed() || store.hasLiveJobs(key)) {
            return false;
        }
        List<RunId> ended = store.endedRuns(key);
        while (!ended.isEmpty() && !loop.isClosed()) {
            for (WorkspaceTables.ByRun table : WorkspaceTables.OF_RUNS) {
                drain(table, ended, key);
            }
            if (!loop.isClosed()) {
                store.deleteRoots(ended);
            }
            ended = store.endedRuns(key);
        }
        WorkspaceTables.AFTER_RUNS.forEach(table -> drain(table, key));
        store.cutTokens(key);
        return !loop.isClosed();
    }

    /** Keeps the claim, with a write now and then. */
    private void keep(Workspace key) {
        long now = System.nanoTime();
        if (now - renewedNanos > RENEWAL_INTERVAL.toNanos()) {
            store.renew(key, CLAIM_TIME);
            renewedNanos = now;
        }
    }

    private void drain(WorkspaceTables.ByKey table, Workspace key) {
        do {
            keep(key);
        } while (!loop.isClosed() && store.delete(table, key) == DeletionStore.ROWS_MAX);
    }

    private void drain(WorkspaceTables.ByRun table, List<RunId> ended, Workspace key) {
        do {
            keep(key);
        } while (!loop.isClosed() && store.delete(table, ended) == DeletionStore.ROWS_MAX);
    }

    /** Cancels the runs in progress, once each. The next turn cancels those that were not canceled now. */
    private void cancelRuns(Workspace key) {
        List<RunId> live = store.liveRuns(key, CANCEL_MAX);
        while (!live.isEmpty() && !loop.isClosed()) {
            List<CompletableFuture<OperationResult>> canceled = live.stream()
                    .map(run -> runs.operate(run, new RunOperation.Cancel(), NOTE))
                    .toList();
            canceled.forEach(QueueAnswers::await);
            keep(key);
            List<RunId> before = live;
            live = store.liveRuns(key, CANCEL_MAX);
            if (live.equals(before)) {
                return;
            }
        }
    }
}
