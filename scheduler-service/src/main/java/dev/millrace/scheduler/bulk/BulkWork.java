package dev.millrace.scheduler.bulk;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.QueueAnswers;
import dev.millrace.scheduler.queue.Rerun;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.submission.RerunInputs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies bulk operations to their runs, one batch of claimed runs at a time.
 *
 * <p>Any number of schedulers may do so at once. A run that two schedulers process has the operation applied once,
 * because both use the same request id. A run that cannot be decided now, for example because the queue is full, is
 * tried again when its claim expires.
 */
public final class BulkWork implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(BulkWork.class);
    /** How often to look for runs that other schedulers have accepted or left behind. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);
    /**
     * Maximum number of runs to work on at once. The bound keeps bulk operations from delaying other work of the lanes.
     */
    private static final int BATCH_MAX = 200;
    /** Maximum number of inputs of runs in memory, for reruns that check them. */
    private static final int INPUTS_MAX = 16;

    private final BulkItemStore items;
    private final RunOperations lanes;
    private final BulkReruns reruns;
    private final Runs runs;
    private final Loop loop;
    private volatile boolean closed;

    private BulkWork(Database database, Runs runs, RunOperations lanes, BulkReruns reruns) {
        this.items = new BulkItemStore(database);
        this.lanes = lanes;
        this.reruns = reruns;
        this.runs = runs;
        this.loop = Loop.start("bulk-operations", HEALING_INTERVAL, this::workOff);
    }

    public static BulkWork start(Database database, Runs runs, RunOperations lanes, RerunInputs inputs, IdSource ids) {
        return new BulkWork(database, runs, lanes, new BulkReruns(runs, inputs, ids));
    }

    /** Looks for work at once. */
    void wake() {
        loop.wake();
    }

    @Override
    public void close() {
        closed = true;
        loop.close();
    }

    private void workOff() {
        List<ClaimedItem> batch;
        do {
            batch = items.claim(BATCH_MAX);
            if (!batch.isEmpty()) {
                workOff(batch);
            }
        } while (batch.size() == BATCH_MAX && !closed);
    }

    private void workOff(List<ClaimedItem> batch) {
        Map<ClaimedItem, Attempt> attempts = new LinkedHashMap<>();
        List<EndedItem> ends = new ArrayList<>();
        Set<RunRef> known = runs.knownAmong(batch.stream().map(ClaimedItem::run).toList());
        for (ClaimedItem item : batch) {
            if (known.contains(item.run())) {
                attempts.put(item, begin(item));
            } else {
                ends.add(new EndedItem(item, notFound(item.run().id())));
            }
            if (attempts.size() >= attemptsMax(item)) {
                await(attempts, ends);
            }
        }
        await(attempts, ends);
        if (!ends.isEmpty()) {
            items.note(ends);
        }
    }

    private static int attemptsMax(ClaimedItem item) {
        return item.action() instanceof BulkAction.Rerun rerun && rerun.hasOptions() ? INPUTS_MAX : BATCH_MAX;
    }

    private void await(Map<ClaimedItem, Attempt> attempts, List<EndedItem> ends) {
        attempts.forEach(
                (item, attempt) -> end(item, attempt).ifPresent(state -> ends.add(new EndedItem(item, state))));
        attempts.clear();
    }

    /** @param newRun id of the new run if this attempt is the one that starts it */
    private record Attempt(CompletableFuture<OperationResult> answer, Optional<RunId> newRun) {}

    private Attempt begin(ClaimedItem item) {
        return switch (item.action()) {
            case BulkAction.Change change ->
                new Attempt(lanes.operate(item.run().id(), change.operation(), item.note()), Optional.empty());
            case BulkAction.Restart _ -> begin(item, reruns.restart(item.run()));
            case BulkAction.Rerun action -> {
                try {
                    yield begin(item, reruns.rerun(item.run(), action));
                } catch (MillraceException failure) {
                    yield new Attempt(CompletableFuture.failedFuture(failure), Optional.empty());
                }
            }
        };
    }

    private Attempt begin(ClaimedItem item, Rerun rerun) {
        return new Attempt(lanes.rerun(rerun, item.note()), Optional.of(rerun.run()));
    }

    /** The final state of the run; empty if it is not known yet. */
    private Optional<ItemState> end(ClaimedItem item, Attempt attempt) {
        try {
            return Optional.of(
                    switch (QueueAnswers.await(attempt.answer())) {
                        case OperationResult.Done(boolean changed) ->
                            new ItemState.Done(newRun(item, attempt, changed));
                        case OperationResult.Refused refused ->
                            new ItemState.Failed(refused.code().name(), refused.message());
                    });
        } catch (MillraceException failure) {
            if (BulkReruns.isFinal(failure)) {
                return Optional.of(new ItemState.Failed(failure.code().name(), requireNonNull(failure.getMessage())));
            }
            log.atWarn()
                    .addKeyValue("operation", item.bulk())
                    .addKeyValue("run", item.run().id())
                    .setCause(failure)
                    .log("A bulk operation could not be applied to one of its runs");
            return isDefect(failure)
                    ? Optional.of(new ItemState.Failed(
                            failure.code().name(), "The scheduler failed to carry this out; its log says why."))
                    : Optional.empty();
        }
    }

    private Optional<RunId> newRun(ClaimedItem item, Attempt attempt, boolean changed) {
        return changed || attempt.newRun().isEmpty()
                ? attempt.newRun()
                : Optional.of(items.begun(item.run().id(), item.note().requestId()));
    }

    /** Another workspace's run gets the same answer as a run that does not exist. */
    private static ItemState notFound(RunId run) {
        return new ItemState.Failed(ErrorCode.RUN_NOT_FOUND.name(), "There is no run " + run + ".");
    }

    private static boolean isDefect(MillraceException failure) {
        return failure.code() == ErrorCode.INTERNAL;
    }
}
