package dev.millrace.scheduler.wake;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loop that finds runs whose deadlines have passed, and lets the lanes decide about them.
 *
 * <p>Sleeps until the next deadline, a {@link #wake}, or the end of the healing interval. A run about which no decision
 * is possible, for example because its flow cannot be loaded, is postponed, so that it delays no other runs. Any number
 * of schedulers may run the loop, provided that a lane checks the deadline again.
 */
public final class DeadlineLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DeadlineLoop.class);

    /** How late a decision may be if the scheduler that accepted the run has died. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(2);
    /** Shortest sleep, so that a run about which the lane decides nothing yet does not keep the thread busy. */
    private static final Duration PAUSE_MIN = Duration.ofMillis(20);
    /** Time until the next attempt if the decision about a run has failed. */
    private static final Duration POSTPONEMENT = Duration.ofMinutes(1);
    /** Maximum number of runs that the lanes decide about at a time. */
    private static final int BATCH_MAX = 1_000;

    private final String name;
    private final DeadlineRows rows;
    private final Function<RunId, CompletableFuture<Void>> decide;
    private final Loop loop;

    /** @param decide called with each run whose deadline has passed; its future completes once the decision is durable */
    public DeadlineLoop(String name, DeadlineRows rows, Function<RunId, CompletableFuture<Void>> decide) {
        this.name = name;
        this.rows = rows;
        this.decide = decide;
        this.loop = Loop.of(name, this::runOnce);
    }

    public void start() {
        loop.start();
    }

    /** Looks for passed deadlines soon, for example because a nearer deadline was set. */
    public void wake() {
        loop.wake();
    }

    private Duration runOnce() {
        Optional<Duration> next = rows.untilNext();
        if (next.filter(Duration::isZero).isPresent()) {
            int decided;
            do {
                decided = decide(rows.passed(BATCH_MAX));
            } while (decided == BATCH_MAX);
            next = rows.untilNext();
        }
        return next.filter(time -> time.compareTo(HEALING_INTERVAL) < 0)
                .map(time -> time.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : time)
                .orElse(HEALING_INTERVAL);
    }

    /** Returns the number of runs about which the lanes have decided. Postpones the others. */
    private int decide(List<RunId> passed) {
        Map<RunId, CompletableFuture<Void>> decisions = new LinkedHashMap<>();
        passed.forEach(run -> decisions.put(run, decide.apply(run)));
        List<RunId> decided = new ArrayList<>();
        List<RunId> failed = new ArrayList<>();
        decisions.forEach((run, decision) -> (succeeds(run, decision) ? decided : failed).add(run));
        rows.postpone(failed, POSTPONEMENT);
        rows.settle(decided);
        return decided.size();
    }

    private boolean succeeds(RunId run, CompletableFuture<Void> decision) {
        try {
            decision.join();
            return true;
        } catch (CompletionException failure) {
            log.atWarn()
                    .addKeyValue("loop", name)
                    .addKeyValue("run", run)
                    .addKeyValue("retryAfter", POSTPONEMENT)
                    .setCause(failure)
                    .log("A run whose deadline has passed could not be ended");
            return false;
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
