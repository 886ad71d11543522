package dev.millrace.scheduler.start;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.evaluator.EvaluationOwner;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.lane.RunsToStart;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.wake.NotificationsMissed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts pending runs: runs that a flow starts without waiting, failure flows, and runs that waited for their turn. Any
 * number of schedulers may try, because the lane starts only runs that are still pending.
 */
public final class PendingRunStarter implements AutoCloseable {
    /** Interval for looking without a notification, for runs that other schedulers have left. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    /** Errors that concern the run itself. Any other failure to start a run says nothing about the run. */
    private static final Set<ErrorCode> OF_THE_FLOW = Set.of(ErrorCode.FLOW_NOT_FOUND, ErrorCode.INVALID_FLOW);

    private static final Logger log = LoggerFactory.getLogger(PendingRunStarter.class);
    private static final int PAGE_ROWS = 200;
    private static final UUID LEAST_ID = new UUID(0, 0);

    private final StartStore store;
    private final Flows flows;
    private final FlowCatalog catalog;
    private final LaneStarts lanes;
    private final Loop loop;
    /** Places of runs whose beginnings evaluate expressions. */
    private final AcceptedRuns evaluating;

    private PendingRunStarter(Database database, EventBus bus, Flows flows, FlowCatalog catalog, Lanes lanes) {
        this.store = new StartStore(database);
        this.flows = flows;
        this.catalog = catalog;
        this.lanes = new LaneStarts(lanes);
        this.evaluating = AcceptedRuns.subscribe(bus, lanes);
        this.loop = Loop.of("run-starts", this::startAll);
        bus.subscribe(RunsToStart.class, _ -> loop.wake());
        bus.subscribe(NotificationsMissed.class, _ -> loop.wake());
    }

    public static PendingRunStarter start(
            Database database, EventBus bus, Flows flows, FlowCatalog catalog, Lanes lanes) {
        PendingRunStarter starter = new PendingRunStarter(database, bus, flows, catalog, lanes);
        starter.loop.start();
        return starter;
    }

    @Override
    public void close() {
        loop.close();
    }

    /**
     * Starts runs and returns when to look again. If some runs cannot be tried, the round of the loop fails after the
     * others have been started.
     */
    private Duration startAll() {
        // Query the next due time before looking for runs, so that a run that becomes due in between is not missed.
        Optional<Duration> untilDue = store.nextDue();
        long asked = System.nanoTime();
        Duration next = startDue();
        Duration left = untilDue.orElse(HEALING_INTERVAL).minusNanos(System.nanoTime() - asked);
        return left.compareTo(next) > 0 ? next : left.isNegative() ? Duration.ZERO : left;
    }

    private Duration startDue() {
        Duration next = HEALING_INTERVAL;
        Optional<CompletionException> failure = Optional.empty();
        long orderKey = Long.MIN_VALUE;
        UUID id = LEAST_ID;
        List<RunToStart> page;
        do {
            page = store.find(orderKey, id, PAGE_ROWS);
            List<CompletableFuture<Optional<Duration>>> tries =
                    page.stream().map(this::tryToStart).toList();
            for (CompletableFuture<Optional<Duration>> tried : tries) {
                try {
                    Duration wait = tried.join().orElse(HEALING_INTERVAL);
                    next = wait.compareTo(next) < 0 ? wait : next;
                } catch (CompletionException ofOne) {
                    failure = Optional.of(ofOne);
                }
            }
            if (!page.isEmpty()) {
                orderKey = page.getLast().run().orderKey();
                id = page.getLast().run().value();
            }
        } while (page.size() == PAGE_ROWS);
        if (failure.isPresent()) {
            throw failure.get();
        }
        return next;
    }

    /**
     * Tries to start a run. Evaluations of its beginning do not delay the others. Until it has begun, it is found
     * again.
     */
    private CompletableFuture<Optional<Duration>> tryToStart(RunToStart run) {
        try {
            Evaluation evaluation = evaluation(run);
            if (evaluation == Evaluation.NONE) {
                return lanes.begin(startOf(run));
            }
            if (!evaluating.enter(run.workspace(), run.run())) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (evaluation == Evaluation.OF_STEPS) {
                return startEvaluating(run);
            }
            Thread.ofVirtual().name("run-start").start(() -> startAside(run));
            return CompletableFuture.completedFuture(Optional.empty());
        } catch (RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private CompletableFuture<Optional<Duration>> startEvaluating(RunToStart run) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        var _ = done.whenComplete((_, _) -> evaluating.leave(run.workspace(), run.run()));
        try {
            return lanes.begin(startOf(run), done);
        } catch (RuntimeException failed) {
            done.completeExceptionally(failed);
            throw failed;
        }
    }

    private void startAside(RunToStart run) {
        EvaluationOwner owner =
                new EvaluationOwner(Optional.of(run.workspace()), run.run().toString());
        try {
            lanes.beginToTheEnd(
                            ScopedValue.where(EvaluationOwner.CURRENT, owner).call(() -> startOf(run)))
                    .join();
        } catch (RuntimeException failed) {
            log.atWarn()
                    .addKeyValue("run", run.run())
                    .setCause(failed)
                    .log("A run could not be started and will be tried again");
        } finally {
            evaluating.leave(run.workspace(), run.run());
        }
    }

    /** What the beginning of a run may evaluate. */
    private enum Evaluation {
        NONE,
        /** Expressions of steps, which the lane has evaluated while it continues with other runs. */
        OF_STEPS,
        /** The keys of the flow's options, which are needed before the run is passed to its lane. */
        OF_KEYS
    }

    private Evaluation evaluation(RunToStart run) {
        Optional<String> hash = run.flowHash().or(() -> flows.findCurrentHash(run.workspace(), run.path()));
        if (hash.isEmpty()) {
            return Evaluation.NONE;
        }
        try {
            FlowModel model = catalog.model(hash.get());
            if (!model.hasPlainKeys()) {
                return Evaluation.OF_KEYS;
            }
            return model.computes() ? Evaluation.OF_STEPS : Evaluation.NONE;
        } catch (MillraceException broken) {
            return Evaluation.NONE;
        }
    }

    private RunStart startOf(RunToStart run) {
        Optional<String> hash = run.flowHash().or(() -> flows.findCurrentHash(run.workspace(), run.path()));
        if (hash.isEmpty()) {
            return new RunStart.Failed(
                    run.run(),
                    run.version(),
                    JobError.permanent(
                            "FlowNotFound",
                            "There is no flow " + run.path() + " in workspace " + run.workspace()
                                    + ": deploy it, then retry the run."));
        }
        try {
            FlowModel model = catalog.model(hash.get())
                    .in(run.options().env(), run.options().stepInput());
            return switch (catalog.inputs(hash.get()).check(run.input())) {
                case RunInput.Accepted accepted ->
                    RunStart.Begun.of(run.run(), run.version(), hash.get(), model, accepted.input());
                case RunInput.Refused refused ->
                    new RunStart.Failed(
                            run.run(),
                            run.version(),
                            JobError.permanent(
                                    "InvalidInput",
                                    refused.problems().stream()
                                            .map(RunInput.Problem::message)
                                            .collect(Collectors.joining(" "))));
            };
        } catch (MillraceException broken) {
            if (!OF_THE_FLOW.contains(broken.code())) {
                throw broken;
            }
            return new RunStart.Failed(
                    run.run(), run.version(), JobError.permanent("FlowNotUsable", String.valueOf(broken.getMessage())));
        }
    }
}
