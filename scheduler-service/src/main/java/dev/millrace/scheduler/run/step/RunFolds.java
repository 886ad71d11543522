package dev.millrace.scheduler.run.step;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.runtime.Turns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;

/**
 * The loops of runs that somebody looks at, folded. A fold is a cache of the history: all who look at a run share it, each
 * look adds the rows since the last one, and a fold that was evicted is made again. Blocking and thread-safe.
 */
final class RunFolds {
    /** Iterations of all folds in memory; the fold that was used last comes on top. */
    private static final int ITERATIONS_MAX = RunFold.ITERATIONS_MAX;
    /** Folds in memory. */
    private static final int RUNS_MAX = 64;

    private static final int PAGE_ROWS = 10_000;

    /** Longest time to wait until other histories are read. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(15);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** Overlap with the rows that were read before: longer than a lane's transaction usually takes. */
    private static final Duration OVERLAP = Duration.ofMillis(100);
    /** Overlap of a healing look: longer than a lane's transaction may ever take. */
    private static final Duration HEALING_OVERLAP = Duration.ofSeconds(10);

    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    private final FoldStore store;
    private final StepStore steps;
    private final ReentrantLock lock = new ReentrantLock();
    /** For whole histories, so that several large folds that are not in memory yet do not grow at once. */
    private final Turns whole = new Turns(1, 1, WAIT_MAX, RunFolds::refusal);
    /** In the order of their use. */
    private final LinkedHashMap<RunId, Shared> shared = new LinkedHashMap<>(16, 0.75f, true);

    RunFolds(FoldStore store, StepStore steps) {
        this.store = store;
        this.steps = steps;
    }

    private static MillraceException refusal() {
        return MillraceException.overloaded(
                "This scheduler reads the histories of as many large runs as it does at a time: try again later.",
                RETRY_AFTER);
    }

    /** The fold of a run, with the place up to which it has the rows. */
    private static final class Shared {
        final ReentrantLock lock = new ReentrantLock();
        final RunFold fold = new RunFold("");
        HistoryPosition position = HistoryPosition.BEGINNING;
        /** Time of the database up to which all rows were read, also those that committed late. */
        Instant settled = Instant.EPOCH;
        /** When the last healing look was. */
        long healedNanos;

        volatile int size;
        /** Whether the rows up to now were read once. */
        volatile boolean isRead;

        /** Where a look begins that may find rows which committed late. */
        HistoryPosition from(Duration overlap) {
            HistoryPosition back = position.equals(HistoryPosition.BEGINNING) ? position : position.back(overlap);
            return back.ended().isBefore(settled) ? HistoryPosition.before(settled) : back;
        }
    }

    /** The iterations of each folded loop inside an iteration, or of the run, by the loop's key, as they are now. */
    Map<String, IterationCounts> counts(RunRef run, String scope) {
        return read(run, scope, (fold, live) -> {
            Set<String> keys = new HashSet<>();
            fold.folded().forEach(loop -> keys.add(loop.key()));
            RunFold.ofLive(scope, live).folded().forEach(loop -> keys.add(loop.key()));
            keys.removeIf(key -> !key.startsWith(scope));
            Map<String, IterationCounts> counts = new HashMap<>();
            for (String key : keys) {
                LoopFold loop = withTotal(run.id(), fold.find(key).orElseGet(() -> new LoopFold(key)));
                counts.put(key, loop.counts(LiveIterations.of(key, live)));
            }
            return counts;
        });
    }

    /** Looks at one loop and at its live iterations. */
    <T> T find(RunRef run, String loop, BiFunction<LoopFold, LiveIterations, T> look) {
        return read(run, LoopKeys.scopeOf(loop), (fold, live) -> {
            LoopFold known = withTotal(run.id(), fold.find(loop).orElseGet(() -> new LoopFold(loop)));
            return look.apply(known, LiveIterations.of(loop, live));
        });
    }

    private LoopFold withTotal(RunId run, LoopFold loop) {
        if (loop.total().isEmpty()) {
            loop.total(store.items(run, loop.key()));
        }
        return loop;
    }

    private <T> T read(RunRef named, String scope, BiFunction<RunFold, List<Step>, T> look) {
        RunId run = named.id();
        if (LoopKeys.isFolded(scope)) {
            return whole.take(named.workspace(), () -> {
                RunFold fold = new RunFold(scope);
                HistoryPosition _ = addAll(run, scope, HistoryPosition.BEGINNING, fold);
                return look.apply(fold, live(run));
            });
        }
        Shared entry = entry(run);
        return entry.isRead ? read(run, entry, look) : whole.take(named.workspace(), () -> read(run, entry, look));
    }

    private <T> T read(RunId run, Shared entry, BiFunction<RunFold, List<Step>, T> look) {
        entry.lock.lock();
        try {
            catchUp(run, entry);
            return look.apply(entry.fold, live(run));
        } finally {
            entry.lock.unlock();
            evict(run);
        }
    }

    /** Read after the history, so that an iteration whose next step has just begun is not taken for one that has ended. */
    private List<Step> live(RunId run) {
        return steps.live(run, Optional.empty(), Steps.LIVE_STEPS_MAX);
    }

    private void catchUp(RunId run, Shared entry) {
        long nanos = System.nanoTime();
        boolean isHealing = !entry.isRead || nanos - entry.healedNanos >= HEALING_INTERVAL.toNanos();
        Instant settled = isHealing ? store.now().minus(HEALING_OVERLAP) : entry.settled;
        HistoryPosition end = addAll(run, "", entry.from(isHealing ? HEALING_OVERLAP : OVERLAP), entry.fold);
        if (end.ended().isAfter(entry.position.ended())) {
            entry.position = end;
        }
        if (isHealing) {
            entry.healedNanos = nanos;
        }
        entry.settled = settled;
        entry.size = entry.fold.kept();
        entry.isRead = true;
    }

    /** Returns the position of the last row. */
    private HistoryPosition addAll(RunId run, String scope, HistoryPosition from, RunFold fold) {
        HistoryPosition position = from;
        FoldStore.Page page;
        do {
            page = store.rows(run, scope, position, PAGE_ROWS);
            fold.addAll(page.rows());
            position = page.end();
        } while (page.rows().size() == PAGE_ROWS);
        return position;
    }

    private Shared entry(RunId run) {
        lock.lock();
        try {
            return shared.computeIfAbsent(run, _ -> new Shared());
        } finally {
            lock.unlock();
        }
    }

    private void evict(RunId used) {
        lock.lock();
        try {
            long iterations =
                    shared.values().stream().mapToLong(entry -> entry.size).sum();
            List<RunId> oldest = new ArrayList<>(shared.keySet());
            for (RunId run : oldest) {
                boolean isFull = iterations > ITERATIONS_MAX || shared.size() > RUNS_MAX;
                if (isFull && !run.equals(used)) {
                    Shared gone = shared.remove(run);
                    iterations -= gone == null ? 0 : gone.size;
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
