package dev.millrace.scheduler.deadline;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.wake.NotificationsMissed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loop that finds passed start deadlines and lets the lanes cancel the runs. It sleeps until the next deadline, and
 * also looks regularly for deadlines of which it was not notified. Any number of schedulers may run the loop, because a
 * lane cancels a run only if the run has not started. A deadline is forgotten only after the lane has decided.
 */
public final class StartDeadlines implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StartDeadlines.class);

    /** Maximum delay of the cancellation if another scheduler accepted the run. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(2);
    /** Minimum pause, so that a run that cannot be canceled right now does not keep the thread busy. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(20);

    private final StartDeadlineStore store;
    private final Lanes lanes;
    private final Loop loop = Loop.of("start-deadlines", this::runOnce);

    private StartDeadlines(Database database, Lanes lanes) {
        this.store = new StartDeadlineStore(database);
        this.lanes = lanes;
    }

    public static StartDeadlines start(Database database, EventBus bus, Lanes lanes) {
        StartDeadlines deadlines = new StartDeadlines(database, lanes);
        bus.subscribe(StartDeadlineSet.class, _ -> deadlines.loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> deadlines.loop.wake());
        deadlines.loop.start();
        return deadlines;
    }

    private Duration runOnce() {
        int decided;
        do {
            decided = decide(store.passed());
        } while (decided == StartDeadlineStore.PASSED_MAX);
        return store.untilNext()
                .filter(next -> next.compareTo(HEALING_INTERVAL) < 0)
                .map(next -> next.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : next)
                .orElse(HEALING_INTERVAL);
    }

    /** Returns the number of runs that are decided. The deadlines of the others pass again after {@link StartDeadlineStore#POSTPONEMENT}. */
    private int decide(List<RunId> passed) {
        List<RunId> failed = new ArrayList<>();
        Map<RunId, CompletableFuture<Void>> decisions = new LinkedHashMap<>();
        passed.forEach(run -> decisions.put(run, cancel(run)));
        decisions.forEach((run, decision) -> {
            try {
                decision.join();
            } catch (CompletionException failure) {
                log.atWarn()
                        .addKeyValue("run", run)
                        .addKeyValue("retryAfter", StartDeadlineStore.POSTPONEMENT)
                        .setCause(failure)
                        .log("A run that has not started in time could not be canceled");
                failed.add(run);
            }
        });
        decisions.keySet().removeAll(failed);
        store.settle(decisions.keySet());
        store.postpone(failed);
        return decisions.size();
    }

    private CompletableFuture<Void> cancel(RunId run) {
        return lanes.demand(run, done -> new CancelUnstartedRun(run, done));
    }

    @Override
    public void close() {
        loop.close();
    }
}
