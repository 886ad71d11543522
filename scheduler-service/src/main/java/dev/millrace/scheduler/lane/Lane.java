package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.database.DatabaseErrors;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.LeaseReceiver.Cancellation;
import dev.millrace.scheduler.queue.LeaseReceiver.Delivery;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.OperationResult;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.LeaseToken;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single writer, driven by one of two threads at a time (see {@link Inbox}). What is offered while a flush is in flight gathers for the next. A batch is planned optimistically and committed as
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

    /** A result that could not be recorded is tried again after this time, which doubles each time ... */
    private static final Duration POSTPONE_MIN = Duration.ofSeconds(1);
    /** ... up to this. */
    private static final Duration POSTPONE_MAX = Duration.ofMinutes(1);
    /** After a result was postponed this often, its attempt is recorded as failed instead. */
    private static final int POSTPONED_MAX = 3;

    private static final String ENDED_MEANWHILE =
            "The lease has ended: the run was canceled, or the job was given to another worker.";

    private final String name;
    private final LaneContext context;
    private final LaneStore store;
    private final LiveFlows flows;
    private final BatchEnd batchEnd;
    private final Asides asides;
    private final FlowLoader loader;
    private final Inbox inbox = new Inbox();
    private final List<Thread> drivers;
    private final AtomicInteger driversLeft = new AtomicInteger();
    private volatile boolean connected = true;
    /** How many items are set aside. */
    private volatile int waiting;
    /** When the first batch began that the database has not committed. */
    private OptionalLong lostSinceNanos = OptionalLong.empty();

    private long batchBeganNanos = System.nanoTime();

    Lane(String name, LaneContext context, LaneStore store, LiveFlows flows) {
        this.name = name;
        this.context = context;
        this.store = store;
        this.flows = flows;
        this.batchEnd = new BatchEnd(context, flows);
        this.asides = new Asides(context, flows, inbox::add);
        this.loader = new FlowLoader(store);
        this.drivers = Stream.of(name, name + "-standby")
                .map(driver -> Thread.ofPlatform().name(driver).unstarted(this::run))
                .toList();
    }

    void start() {
        driversLeft.set(drivers.size());
        drivers.forEach(Thread::start);
    }

    /** Takes an item; it is answered once it is durable. */
    void offer(LaneItem item) {
        inbox.add(item);
    }

    /** How many items wait. */
    int backlog() {
        return inbox.size() + waiting;
    }

    /** Whether the database answered last time. */
    boolean isConnected() {
        return connected;
    }

    /** Finishes what was offered, then stops. Waits at most {@code patience}. */
    void close(Duration patience) {
        inbox.close();
        long end = System.nanoTime() + patience.toNanos();
        try {
            for (Thread driver : drivers) {
                driver.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        drivers.forEach(Thread::interrupt);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /** Drives in turns with another thread. */
    private void run() {
        Condition driver = inbox.newDriver();
        try {
            while (inbox.drive(driver)) {
                driveOn();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            if (driversLeft.decrementAndGet() == 0) {
                asides.close();
                store.close();
            }
        }
    }

    /** Does what there is to do, round after round. What is left then is to prepare moves: one of them here. */
    private void driveOn() throws InterruptedException {
        do {
            asides.startAll();
            List<LaneItem> items = new ArrayList<>(asides.takeCarried());
            List<LaneItem> arrived = inbox.take(Math.max(0, BATCH_MAX - items.size()));
            items.addAll(arrived);
            processRound(items);
            releaseResults(reservedBytes(arrived));
            flows.trim();
        } while (asides.hasCarried() || inbox.size() > 0);
        Optional<Preparation> here = asides.takeUnstarted();
        asides.startAll();
        if (here.isPresent() && inbox.goAway()) {
            try {
                here.get().runHere();
            } finally {
                inbox.comeBack();
            }
        } else {
            here.ifPresent(Preparation::start);
            inbox.leave();
        }
    }

    private static long reservedBytes(List<LaneItem> arrived) {
        long bytes = 0;
        for (LaneItem item : arrived) {
            if (item instanceof LaneItem.AttemptEnded ended) {
                bytes += ended.reservedBytes();
            }
        }
        return bytes;
    }

    /** Lets workers send more results, once those that had arrived are recorded or set aside. */
    private void releaseResults(long bytes) {
        if (bytes > 0) {
            context.results().release(bytes);
        }
    }

    /** Plans what needs no value that is not there; all else is set aside. */
    private void processRound(List<LaneItem> items) throws InterruptedException {
        batchBeganNanos = System.nanoTime();
        Asides.Round round = admit(items);
        if (!round.isEmpty()) {
            asides.startAll();
        }
        if (!round.together().isEmpty()) {
            process(round.together());
        }
        for (LaneItem item : round.alone()) {
            process(List.of(item));
        }
        asides.endRound();
        waiting = asides.size();
    }

    private Asides.Round admit(List<LaneItem> items) throws InterruptedException {
        while (true) {
            try {
                loader.loadMissing(items, context.leases(), flows);
            } catch (DatabaseLost lost) {
                awaitDatabase(lost, items);
                continue;
            } catch (RuntimeException ofOne) {
                log.atDebug()
                        .addKeyValue("lane", name)
                        .setCause(ofOne)
                        .log("A flow cannot be loaded; its item will say so");
            }
            return asides.admit(items);
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
            leaveMovedSessions(refused, items);
            commitOneByOne(items, false);
        } catch (DatabaseLost lost) {
            awaitDatabase(lost, items);
            commitOneByOne(items, true);
        } catch (MoveNotPrepared missing) {
            if (items.size() == 1) {
                asides.setAside(items.getFirst(), missing);
            } else {
                commitOneByOne(items, false);
            }
        } catch (ModelNotCompiled missing) {
            if (items.size() == 1) {
                asides.setAside(items.getFirst(), missing);
            } else {
                commitOneByOne(items, false);
            }
        } catch (PreparedMovesOutdated outdated) {
            flows.forgetPrepared(outdated.run());
            commitOneByOne(items, false);
        } catch (RuntimeException bug) {
            log.atError().addKeyValue("lane", name).setCause(bug).log("A batch failed and is done again item by item");
            commitOneByOne(items, false);
        }
    }

    private void commit(List<LaneItem> items) throws FlushRefused, DatabaseLost {
        batchBeganNanos = System.nanoTime();
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
            lostSinceNanos = OptionalLong.empty();
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
                if (leaveMovedSessions(refused, waiting)) {
                    attempt--;
                    continue;
                }
                Optional<LaneItem> next = afterRefusal(current, refused, attempt);
                if (next.isEmpty()) {
                    return;
                }
                current = next.get();
            } catch (MoveNotPrepared missing) {
                asides.setAside(current, missing);
                return;
            } catch (ModelNotCompiled missing) {
                asides.setAside(current, missing);
                return;
            } catch (PreparedMovesOutdated outdated) {
                flows.forgetPrepared(outdated.run());
                log.atDebug()
                        .addKeyValue("lane", name)
                        .addKeyValue("reason", outdated.getMessage())
                        .log("A flow is folded anew");
            } catch (RuntimeException bug) {
                log.atError().addKeyValue("lane", name).setCause(bug).log("An item failed");
                Optional<LaneItem> next = current.afterBug(bug);
                if (next.isEmpty()) {
                    giveUp(current, bug);
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
            return asFailure(
                    item,
                    "ResultError",
                    "The database cannot keep the result: " + firstLine(refused)
                            + ". Return a smaller or flatter JSON value.");
        }
        if (refused.isBadValue() && item instanceof LaneItem.Submit) {
            item.fail(DatabaseErrors.translate(refused));
            return Optional.empty();
        }
        if (attempt >= ATTEMPTS_MAX) {
            log.atError().addKeyValue("lane", name).setCause(refused).log("An item was refused again and again");
            giveUp(item, refused);
            return Optional.empty();
        }
        return Optional.of(item);
    }

    /** If the flush leased jobs to sessions that other schedulers hold now, leases them no more; returns whether that was the reason. */
    private boolean leaveMovedSessions(FlushRefused refused, List<LaneItem> waiting) throws InterruptedException {
        if (!refused.hasMovedSessions()) {
            return false;
        }
        List<LeaseReceiver> receivers = context.slots().receivers();
        try {
            Set<SessionId> held = store.heldBy(
                    context.scheduler(),
                    receivers.stream().map(LeaseReceiver::session).toList());
            receivers.stream()
                    .filter(receiver -> !held.contains(receiver.session()))
                    .forEach(context.slots()::disconnect);
        } catch (DatabaseLost lost) {
            awaitDatabase(lost, waiting);
        }
        return true;
    }

    private static String firstLine(FlushRefused refused) {
        String message = refused.getMessage() == null ? "it gave no reason" : refused.getMessage();
        return message.lines().findFirst().orElse("").replaceFirst("^ERROR: ", "");
    }

    /** The same attempt, ended with an error of ours; empty for other items. */
    private static Optional<LaneItem> asFailure(LaneItem item, String errorName, String message) {
        return item instanceof LaneItem.AttemptEnded ended
                ? Optional.of(ended.withResult(new AttemptResult.Failed(JobError.permanent(errorName, message))))
                : Optional.empty();
    }

    /** The item cannot be done now; whoever waits for it is told, or it is a result, which is kept and tried again. */
    private void giveUp(LaneItem item, Throwable cause) {
        if (item instanceof LaneItem.AttemptEnded ended) {
            postpone(ended, cause);
        } else {
            item.fail(cause);
        }
    }

    /**
     * Has a result that could not be recorded tried again later. It is not acknowledged: the worker keeps it, and the job stays leased until it
     * is recorded. A result that is refused for long is recorded as a failure.
     */
    private void postpone(LaneItem.AttemptEnded ended, Throwable cause) {
        LaneItem.AttemptEnded later = ended.postponedOnceMore();
        if (later.postponed() == POSTPONED_MAX) {
            later = later.withResult(new AttemptResult.Failed(JobError.permanent(
                    LaneItem.INTERNAL_ERROR,
                    "Millrace could not record the result of this step: " + cause.getMessage())));
        }
        LaneItem item = later;
        long millis = POSTPONE_MIN.toMillis() << Math.min(ended.postponed(), POSTPONED_MAX);
        CompletableFuture.delayedExecutor(Math.min(millis, POSTPONE_MAX.toMillis()), TimeUnit.MILLISECONDS)
                .execute(() -> offer(item));
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
                    LaneItem.FailRun _,
                    LaneItem.ChildEnded _,
                    LaneItem.Wake _,
                    LaneItem.Prepared _,
                    LaneItem.Resync _ -> {}
        }
    }

    /** Callers of these items, and of those that wait behind them, are told where it takes long; the items are done all the same. */
    private void awaitDatabase(DatabaseLost first, List<LaneItem> items) throws InterruptedException {
        connected = false;
        log.atWarn()
                .addKeyValue("lane", name)
                .addKeyValue("reason", first.getMessage())
                .log("The database is lost; the lane waits for it");
        if (lostSinceNanos.isPresent()) {
            // It took connections again, and then no changes.
            TimeUnit.NANOSECONDS.sleep(RECONNECT_INTERVAL.toNanos());
        } else {
            lostSinceNanos = OptionalLong.of(batchBeganNanos);
        }
        tellUnavailableAfterPatience(items);
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
                tellUnavailableAfterPatience(items);
                TimeUnit.NANOSECONDS.sleep(RECONNECT_INTERVAL.toNanos());
            }
        }
    }

    private void tellUnavailableAfterPatience(List<LaneItem> items) {
        if (System.nanoTime() - lostSinceNanos.orElseThrow() >= CALLERS_PATIENCE.toNanos()) {
            Stream.concat(items.stream(), inbox.waiting().stream()).forEach(Lane::tellUnavailable);
        }
    }

    /** Makes what we believe of our sessions' leases equal to the database, and hands out what was committed but never sent. */
    private void resync() throws DatabaseLost {
        List<LeaseReceiver> receivers = context.slots().receivers();
        // Before the database is read: what is leased meanwhile, by another lane, must not look as if it had ended.
        Map<LeaseReceiver, List<LeasedJob>> believed = new LinkedHashMap<>();
        receivers.forEach(receiver -> believed.put(receiver, context.leases().of(receiver.session())));
        Map<SessionId, List<Delivery>> held =
                store
                        .leasesOf(
                                context.scheduler(),
                                receivers.stream().map(LeaseReceiver::session).toList())
                        .stream()
                        .collect(Collectors.groupingBy(
                                delivery -> delivery.lease().seat().session()));
        for (LeaseReceiver receiver : receivers) {
            List<Delivery> real = held.getOrDefault(receiver.session(), List.of());
            List<Delivery> unsent = new ArrayList<>();
            Set<LeaseToken> tokens = new HashSet<>();
            for (Delivery delivery : real) {
                LeasedJob lease = seated(delivery.lease());
                tokens.add(lease.token());
                if (!isKnown(lease)) {
                    context.slots().reserve(lease.seat(), 1);
                    context.leases().add(lease);
                    unsent.add(new Delivery(lease, delivery.input()));
                }
            }
            if (!unsent.isEmpty()) {
                receiver.deliver(unsent);
            }
            List<Cancellation> over = new ArrayList<>();
            for (LeasedJob lease : believed.getOrDefault(receiver, List.of())) {
                if (!tokens.contains(lease.token()) && context.leases().remove(lease)) {
                    context.slots().release(lease.seat(), 1);
                    over.add(new Cancellation(lease.job().id(), lease.token(), ENDED_MEANWHILE));
                }
            }
            if (!over.isEmpty()) {
                receiver.cancel(over);
            }
        }
    }

    private boolean isKnown(LeasedJob lease) {
        return context.leases()
                .find(lease.job().id())
                .filter(known -> known.token().equals(lease.token()))
                .isPresent();
    }

    private LeasedJob seated(LeasedJob lease) {
        return new LeasedJob(
                lease.job(),
                context.slots()
                        .seatOf(lease.seat().session(), lease.job().options().tag()),
                lease.token());
    }
}
