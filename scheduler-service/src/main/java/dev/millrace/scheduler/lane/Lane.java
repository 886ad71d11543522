package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single writer. What is offered while a flush is in flight gathers for the next. A batch is planned optimistically and committed as
 * one; where the database refuses it, it is done again item by item, so that only the offender fails; where the connection is lost,
 * nothing is assumed: memory is dropped, and each item is checked against the database before it is done again.
 */
final class Lane implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);
    /** Most items of one flush. */
    static final int BATCH_MAX = 500;
    /** How often one item alone is tried against changing state before it is refused. */
    private static final int ATTEMPTS_MAX = 8;

    private static final Duration RECONNECT_INTERVAL = Duration.ofMillis(250);
    /** How long callers are left to wait while the database is away. */
    private static final Duration CALLERS_PATIENCE = Duration.ofSeconds(2);

    private final String name;
    private final LaneContext context;
    private final LaneStore store;
    private final LiveFlows flows;
    private final BatchEnd batchEnd;
    private final LinkedBlockingQueue<LaneItem> inbox = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closing;
    private volatile boolean connected = true;

    Lane(String name, LaneContext context, LaneStore store, int flowsMax) {
        this.name = name;
        this.context = context;
        this.store = store;
        this.flows = new LiveFlows(flowsMax);
        this.batchEnd = new BatchEnd(context, flows);
        this.thread = Thread.ofPlatform().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Takes an item; it is answered once it is durable. */
    void offer(LaneItem item) {
        inbox.add(item);
    }

    /** How many items wait. */
    int backlog() {
        return inbox.size();
    }

    /** Whether the database answered last time. */
    boolean isConnected() {
        return connected;
    }

    /** Finishes what was offered, then stops. Waits at most {@code patience}. */
    void close(Duration patience) {
        closing = true;
        inbox.add(new LaneItem.Wake());
        try {
            thread.join(patience);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    private void run() {
        List<LaneItem> items = new ArrayList<>();
        try {
            while (!closing || !inbox.isEmpty()) {
                items.clear();
                items.add(inbox.take());
                inbox.drainTo(items, BATCH_MAX - 1);
                process(items);
                flows.trim();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            store.close();
        }
    }

    private void process(List<LaneItem> items) throws InterruptedException {
        try {
            commit(items);
        } catch (FlushRefused refused) {
            log.atDebug()
                    .addKeyValue("lane", name)
                    .addKeyValue("items", items.size())
                    .addKeyValue("reason", refused.getMessage())
                    .log("A batch was refused and is done again item by item");
            commitOneByOne(items, false);
        } catch (DatabaseLost lost) {
            awaitDatabase(lost, items);
            commitOneByOne(items, true);
        } catch (RuntimeException bug) {
            log.atError().addKeyValue("lane", name).setCause(bug).log("A batch failed and is done again item by item");
            commitOneByOne(items, false);
        }
    }

    private void commit(List<LaneItem> items) throws FlushRefused, DatabaseLost {
        for (LaneItem item : items) {
            if (item instanceof LaneItem.Resync resync) {
                resync();
                resync.done().run();
            }
        }
        Planner planner = new Planner(context, store, flows);
        boolean done = false;
        try {
            planner.preload(items);
            for (LaneItem item : items) {
                planner.add(item);
            }
            planner.claim();
            long changesSeen = context.backlog().changes();
            List<LaneStatement> statements = planner.batch().statements();
            if (!statements.isEmpty()) {
                store.flush(statements);
            }
            done = true;
            batchEnd.committed(planner.batch(), changesSeen);
            if ((planner.batch().leavesWork() || planner.batch().mayFreeJobs()) && hasWork()) {
                inbox.add(new LaneItem.Wake());
            }
        } finally {
            if (!done) {
                batchEnd.abort(planner.batch());
            }
        }
    }

    private boolean hasWork() {
        return context.slots().vacancies().stream()
                .anyMatch(vacancy -> vacancy.tags().stream().anyMatch(context.backlog()::mayWait));
    }

    /** Does each item by itself; {@code uncertain} where they may have happened already. */
    private void commitOneByOne(List<LaneItem> items, boolean uncertain) throws InterruptedException {
        for (int i = 0; i < items.size(); i++) {
            commitAlone(items.get(i), items.subList(i, items.size()), uncertain);
        }
    }

    /** @param waiting the item itself and those that wait behind it */
    private void commitAlone(LaneItem item, List<LaneItem> waiting, boolean uncertain) throws InterruptedException {
        LaneItem current = item;
        boolean mayBeDone = uncertain;
        for (int attempt = 1; ; attempt++) {
            try {
                if (mayBeDone && isDone(current)) {
                    return;
                }
                commit(List.of(current));
                return;
            } catch (DatabaseLost lost) {
                awaitDatabase(lost, waiting);
                mayBeDone = true;
                attempt--;
            } catch (FlushRefused refused) {
                Optional<LaneItem> next = afterRefusal(current, refused, attempt);
                if (next.isEmpty()) {
                    return;
                }
                current = next.get();
            } catch (RuntimeException bug) {
                log.atError().addKeyValue("lane", name).setCause(bug).log("An item failed");
                Optional<LaneItem> next = asFailure(current, "InternalError", "Millrace failed on this step: " + bug);
                if (next.isEmpty() || attempt > ATTEMPTS_MAX) {
                    fail(current, bug);
                    return;
                }
                current = next.get();
                attempt = ATTEMPTS_MAX;
            }
        }
    }

    /** A submission, an operation or a result whose fate was unknown: true where it is found done. Results are found by the planner itself. */
    private boolean isDone(LaneItem item) throws DatabaseLost {
        if (item instanceof LaneItem.Submit submit) {
            List<NewRun> runs = submit.submission().runs();
            if (store.isLive(runs.getFirst().id())
                    || store.hasEnded(runs.getFirst().id())) {
                submit.answer()
                        .complete(new SubmitResult.Accepted(
                                runs.stream().map(NewRun::id).toList()));
                return true;
            }
        }
        if (item instanceof LaneItem.Operate operate && store.hasOperation(operate.run(), operate.id())) {
            operate.answer().complete(new OperationResult.Done(true));
            return true;
        }
        if (item instanceof LaneItem.RerunRun rerun
                && store.hasOperation(rerun.rerun().original(), rerun.id())) {
            rerun.answer().complete(new OperationResult.Done(true));
            return true;
        }
        return false;
    }

    /** What to try next; empty where the item has been answered. */
    private Optional<LaneItem> afterRefusal(LaneItem item, FlushRefused refused, int attempt) {
        try {
            if (item instanceof LaneItem.Submit submit
                    && submit.submission().requestId().isPresent()) {
                Optional<SubmitResult> earlier = store.findSubmission(
                        submit.submission().workspace(),
                        submit.submission().requestId().get());
                if (earlier.isPresent()) {
                    submit.answer().complete(earlier.get());
                    return Optional.empty();
                }
            }
            if (item instanceof LaneItem.Submit submit
                    && !submit.submission().assumed().isEmpty()) {
                submit.answer().complete(new SubmitResult.Outdated());
                return Optional.empty();
            }
            // It is over, and its step waits anew: memory knows steps only by their keys.
            if (item instanceof LaneItem.WaitDue due
                    && !store.isQueued(due.due().id())) {
                due.done().complete(null);
                return Optional.empty();
            }
            if (item instanceof LaneItem.AttemptEnded ended) {
                context.leases().find(ended.job()).ifPresent(context.leases()::remove);
            }
        } catch (DatabaseLost lost) {
            log.atDebug().addKeyValue("lane", name).setCause(lost).log("The database was lost after a refusal");
        }
        if (refused.isBadValue() && item instanceof LaneItem.AttemptEnded) {
            return asFailure(item, "ResultError", "The result is not valid JSON. Return a JSON value.");
        }
        if (attempt >= ATTEMPTS_MAX) {
            log.atError().addKeyValue("lane", name).setCause(refused).log("An item was refused again and again");
            fail(item, refused);
            return Optional.empty();
        }
        return Optional.of(item);
    }

    /** The same attempt, ended with an error of ours; empty for other items. */
    private static Optional<LaneItem> asFailure(LaneItem item, String errorName, String message) {
        return item instanceof LaneItem.AttemptEnded ended
                ? Optional.of(ended.withResult(new AttemptResult.Failed(JobError.permanent(errorName, message))))
                : Optional.empty();
    }

    private static void fail(LaneItem item, Throwable cause) {
        switch (item) {
            case LaneItem.Submit submit -> submit.answer().completeExceptionally(cause);
            case LaneItem.Operate operate -> operate.answer().completeExceptionally(cause);
            case LaneItem.Signal signal -> signal.answer().completeExceptionally(cause);
            case LaneItem.WaitDue due -> due.done().completeExceptionally(cause);
            case LaneItem.ChildEnded ended -> ended.done().completeExceptionally(cause);
            case LaneItem.RerunRun rerun -> rerun.answer().completeExceptionally(cause);
            case LaneItem.Start start -> start.answer().completeExceptionally(cause);
            case LaneItem.Expire expire -> expire.answer().completeExceptionally(cause);
            case LaneItem.FailStep failed -> failed.done().completeExceptionally(cause);
            case LaneItem.AttemptEnded ended ->
                ended.listener()
                        .acknowledge(List.of(new ResultAck(
                                ended.job(), ended.token(), "The result could not be recorded: " + cause)));
            case LaneItem.Wake _, LaneItem.Resync _ -> {}
        }
    }

    private static void tellUnavailable(LaneItem item) {
        MillraceException unavailable = new MillraceException(
                ErrorCode.DATABASE_UNAVAILABLE,
                "The database does not answer; whether the request was carried out, or will be, is not known. "
                        + "Repeat it, with the same request id where it has one.");
        switch (item) {
            case LaneItem.Submit submit -> submit.answer().completeExceptionally(unavailable);
            case LaneItem.Operate operate -> operate.answer().completeExceptionally(unavailable);
            case LaneItem.Signal signal -> signal.answer().completeExceptionally(unavailable);
            case LaneItem.RerunRun rerun -> rerun.answer().completeExceptionally(unavailable);
            case LaneItem.AttemptEnded _,
                    LaneItem.WaitDue _,
                    LaneItem.Start _,
                    LaneItem.Expire _,
                    LaneItem.FailStep _,
                    LaneItem.ChildEnded _,
                    LaneItem.Wake _,
                    LaneItem.Resync _ -> {}
        }
    }

    /** Callers of these items, and of those that wait behind them, are told where it takes long; the items are done all the same. */
    private void awaitDatabase(DatabaseLost first, List<LaneItem> items) throws InterruptedException {
        connected = false;
        long patienceEnds = System.nanoTime() + CALLERS_PATIENCE.toNanos();
        log.atWarn()
                .addKeyValue("lane", name)
                .addKeyValue("reason", first.getMessage())
                .log("The database is lost; the lane waits for it");
        flows.forgetAll();
        context.backlog().forgetAll();
        while (true) {
            try {
                store.reconnect();
                resync();
                connected = true;
                log.atInfo().addKeyValue("lane", name).log("The database is back");
                return;
            } catch (DatabaseLost stillLost) {
                if (System.nanoTime() - patienceEnds >= 0) {
                    Stream.concat(items.stream(), inbox.stream()).forEach(Lane::tellUnavailable);
                }
                TimeUnit.NANOSECONDS.sleep(RECONNECT_INTERVAL.toNanos());
            }
        }
    }

    /** Makes what we believe of our sessions' leases equal to the database, and hands out what was committed but never sent. */
    private void resync() throws DatabaseLost {
        List<LeaseReceiver> receivers = context.slots().receivers();
        List<Delivery> held =
                store.leasesOf(receivers.stream().map(LeaseReceiver::session).toList());
        Set<LeasedJob> real = new HashSet<>();
        for (LeaseReceiver receiver : receivers) {
            List<Delivery> unsent = new ArrayList<>();
            for (Delivery delivery : held) {
                if (delivery.lease().seat().session().equals(receiver.session())) {
                    LeasedJob lease = seated(delivery.lease());
                    real.add(lease);
                    Optional<LeasedJob> known =
                            context.leases().find(lease.job().id());
                    if (known.filter(present -> present.token().equals(lease.token()))
                            .isEmpty()) {
                        context.slots().reserve(lease.seat(), 1);
                        context.leases().add(lease);
                        unsent.add(new Delivery(lease, delivery.input()));
                    }
                }
            }
            if (!unsent.isEmpty()) {
                receiver.deliver(unsent);
            }
            for (LeasedJob believed : context.leases().of(receiver.session())) {
                boolean stillHeld = real.stream()
                        .anyMatch(
                                lease -> lease.job().id().equals(believed.job().id())
                                        && lease.token().equals(believed.token()));
                if (!stillHeld && context.leases().remove(believed)) {
                    context.slots().release(believed.seat(), 1);
                }
            }
        }
    }

    private LeasedJob seated(LeasedJob lease) {
        return new LeasedJob(
                lease.job(),
                context.slots()
                        .seatOf(lease.seat().session(), lease.job().options().tag()),
                lease.token());
    }
}
