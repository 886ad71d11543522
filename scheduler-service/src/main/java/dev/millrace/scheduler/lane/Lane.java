package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.LeaseReceiver;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Single writer for the runs of some buckets, driven by one of two threads at a time (see {@link Inbox}).
 *
 * <p>Commands that arrive during a flush gather for the next one. A batch is planned optimistically and committed as a
 * whole. If the database rejects a batch, its commands are repeated one by one, so that only the offender fails. If the
 * connection is lost, nothing is assumed: the lane drops its memory, and checks each command against the database
 * before repeating it.
 */
final class Lane implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Lane.class);
    /** Maximum number of commands of one flush. */
    static final int BATCH_MAX = 500;
    /**
     * Number of steps without a worker from which on a flush takes no further command. A run may end 500,000 of them in one
     * move, so a batch of few such runs would fill the heap, and keep all others waiting.
     */
    private static final int RECORDED_MAX = 5_000;
    /** How often a single command is tried against changing state before the lane gives up on it. */
    private static final int ATTEMPTS_MAX = 8;

    private static final Duration RECONNECT_INTERVAL = Duration.ofMillis(250);
    /** How long callers wait for an unavailable database before they are told. */
    private static final Duration CALLERS_PATIENCE = Duration.ofSeconds(2);

    /**
     * Age from which a commit hangs, for example on a synchronous standby that is gone. Health is checked each second, so
     * that balancers learn it within ten.
     */
    static final Duration COMMIT_AGE_MAX = Duration.ofSeconds(8);

    private static final long NO_COMMIT = Long.MIN_VALUE;

    private final String name;
    private final LaneContext context;
    private final LaneStore store;
    private final LiveFlows flows;
    private final PostCommit postCommit;
    private final LeaseResync leaseResync;
    private final Asides asides;
    private final FlowLoader loader;
    private final HeavyFlows heavyFlows = new HeavyFlows();
    private final Inbox inbox = new Inbox();
    private final Refusals refusals = new Refusals();
    private final List<Thread> drivers;
    private final AtomicInteger driversLeft = new AtomicInteger();
    private volatile boolean connected = true;
    /** Number of commands set aside. */
    private volatile int waiting;
    /** Start of the first batch that the database has not committed; empty while commits succeed. */
    private OptionalLong lostSinceNanos = OptionalLong.empty();

    private long batchBeganNanos = System.nanoTime();
    /** Start of the commit under way, or {@link #NO_COMMIT}. */
    private volatile long commitSinceNanos = NO_COMMIT;

    Lane(String name, LaneContext context, LaneStore store, LiveFlows flows) {
        this.name = name;
        this.context = context;
        this.store = store;
        this.flows = flows;
        this.postCommit = new PostCommit(context, flows);
        this.leaseResync = new LeaseResync(context, store);
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

    /** Adds a command. The command answers its caller once it is durable. */
    void offer(LaneCommand item) {
        inbox.add(item);
    }

    /** Number of waiting commands. */
    int backlog() {
        return inbox.size() + waiting;
    }

    /** Whether the last contact with the database succeeded, and no commit hangs. */
    boolean canCommit() {
        return connected && commitAge().compareTo(COMMIT_AGE_MAX) < 0;
    }

    /** Time since the commit under way began; zero if there is none. */
    Duration commitAge() {
        long since = commitSinceNanos;
        return since == NO_COMMIT ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    /** Finishes the accepted commands, then stops. Waits at most {@code patience}. */
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

    /** Drives the lane in turns with the other thread. */
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
                store.db().close();
            }
        }
    }

    /** Drives round after round until no command is left. Of the remaining preparations, one may run on this thread. */
    private void driveOn() throws InterruptedException {
        do {
            asides.startAll();
            List<LaneCommand> items = new ArrayList<>(asides.takeCarried());
            List<LaneCommand> arrived = inbox.take(Math.max(0, BATCH_MAX - items.size()));
            items.addAll(arrived);
            processRound(items);
            releaseResults(
                    arrived.stream().mapToLong(LaneCommand::reservedBytes).sum());
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

    /** Releases the memory of results that were recorded or set aside, so that workers may send more. */
    private void releaseResults(long bytes) {
        if (bytes > 0) {
            context.results().release(bytes);
        }
    }

    /** Plans the commands that need no preparation, and sets the others aside. */
    private void processRound(List<LaneCommand> items) throws InterruptedException {
        batchBeganNanos = System.nanoTime();
        Asides.Round round = admit(items);
        if (!round.isEmpty()) {
            asides.startAll();
        }
        if (!round.together().isEmpty()) {
            process(round.together());
        }
        for (LaneCommand item : round.alone()) {
            process(List.of(item));
        }
        asides.endRound();
        waiting = asides.size();
        if (waiting == 0) {
            refusals.clear();
        }
    }

    private Asides.Round admit(List<LaneCommand> items) throws InterruptedException {
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
                        .log("A flow cannot be loaded; its command will report why");
            }
            return asides.admit(items);
        }
    }

    /**
     * Commits commands in order, in several flushes if their rows are many. Further submissions of flows that write so many go behind
     * whatever has arrived meanwhile: nobody refers to their runs yet, and others must not wait for all of them.
     */
    private void process(List<LaneCommand> items) throws InterruptedException {
        List<LaneCommand> left = items;
        while (!left.isEmpty()) {
            int done = processSome(left);
            left = heavyFlows.putOff(left.subList(done, left.size()), inbox::add);
        }
    }

    /** Commits the first of these commands. Returns how many. */
    private int processSome(List<LaneCommand> items) throws InterruptedException {
        if (items.size() == 1) {
            commitAlone(items.getFirst(), items, false);
            return 1;
        }
        try {
            return commit(items);
        } catch (FlushRefused refused) {
            log.atDebug()
                    .addKeyValue("lane", name)
                    .addKeyValue("items", items.size())
                    .addKeyValue("reason", refused.getMessage())
                    .log("The database rejected a batch; its commands are repeated one by one");
            leaveMovedSessions(refused, items);
            commitOneByOne(items, false);
        } catch (DatabaseLost lost) {
            awaitDatabase(lost, items);
            commitOneByOne(items, true);
        } catch (MoveNotPrepared | ModelNotCompiled ofOne) {
            commitOneByOne(items, false);
        } catch (PreparedMovesOutdated outdated) {
            flows.forgetPrepared(outdated.run());
            commitOneByOne(items, false);
        } catch (RuntimeException bug) {
            log.atError()
                    .addKeyValue("lane", name)
                    .setCause(bug)
                    .log("A batch failed; its commands are repeated one by one");
            commitOneByOne(items, false);
        }
        return items.size();
    }

    /**
     * Commits the first of these commands: all of them, unless their rows are many.
     *
     * @return how many
     */
    private int commit(List<LaneCommand> items) throws FlushRefused, DatabaseLost {
        batchBeganNanos = System.nanoTime();
        commitSinceNanos = batchBeganNanos;
        try {
            return commitUnwatched(items);
        } finally {
            commitSinceNanos = NO_COMMIT;
        }
    }

    private int commitUnwatched(List<LaneCommand> items) throws FlushRefused, DatabaseLost {
        for (LaneCommand item : items) {
            if (item instanceof Resync resync) {
                leaseResync.run();
                resync.done().run();
            }
        }
        FlushPlan plan = new FlushPlan(context, store, flows);
        boolean done = false;
        // Until its leases are delivered, other lanes may end what this flush has claimed.
        try (Leases.View view = context.leases().view()) {
            plan.prefetch(items);
            int planned = 0;
            while (planned < items.size() && plan.recorded() < RECORDED_MAX) {
                plan.plan(items.get(planned));
                planned++;
            }
            if (plan.recorded() >= RECORDED_MAX) {
                heavyFlows.note(items.get(planned - 1));
            }
            plan.jobs().claim();
            long changesSeen = context.backlog().changes();
            FlushRows rows = plan.complete();
            long complete = System.nanoTime();
            flush(rows);
            done = true;
            lostSinceNanos = OptionalLong.empty();
            long committed = System.nanoTime();
            postCommit.committed(plan, view, changesSeen);
            context.observer().committed(planned, complete - batchBeganNanos, committed - complete);
            if ((plan.jobs().leavesWork() || plan.freesJobs()) && hasWork()) {
                inbox.add(new Wake());
            }
            return planned;
        } finally {
            if (!done) {
                postCommit.abort(plan);
            }
        }
    }

    private void flush(FlushRows rows) throws FlushRefused, DatabaseLost {
        try {
            store.db().flush(rows);
        } catch (FlushRefused refused) {
            context.observer().rejected();
            throw refused;
        }
    }

    private boolean hasWork() {
        return context.slots().capacities().stream()
                .anyMatch(capacity -> capacity.tags().stream().anyMatch(context.backlog()::mayWait));
    }

    /** Commits each command by itself. {@code uncertain} means that the commands may have been committed before. */
    private void commitOneByOne(List<LaneCommand> items, boolean uncertain) throws InterruptedException {
        for (int i = 0; i < items.size(); i++) {
            commitAlone(items.get(i), items.subList(i, items.size()), uncertain);
        }
    }

    /** @param waiting the command itself and the commands behind it */
    private void commitAlone(LaneCommand item, List<LaneCommand> waiting, boolean uncertain)
            throws InterruptedException {
        LaneCommand current = item;
        boolean mayBeDone = uncertain;
        for (int attempt = 1 + refusals.take(item); ; attempt++) {
            try {
                if (mayBeDone && current.isDone(store)) {
                    return;
                }
                var _ = commit(List.of(current));
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
                Optional<LaneCommand> next = afterRefusal(current, refused, attempt);
                if (next.isEmpty()) {
                    return;
                }
                current = next.get();
            } catch (MoveNotPrepared missing) {
                refusals.keep(current, attempt - 1);
                asides.setAside(current, missing);
                return;
            } catch (ModelNotCompiled missing) {
                refusals.keep(current, attempt - 1);
                asides.setAside(current, missing);
                return;
            } catch (PreparedMovesOutdated outdated) {
                flows.forgetPrepared(outdated.run());
                log.atDebug()
                        .addKeyValue("lane", name)
                        .addKeyValue("reason", outdated.getMessage())
                        .log("A flow is folded anew");
            } catch (RuntimeException bug) {
                log.atError().addKeyValue("lane", name).setCause(bug).log("A command failed");
                if (attempt == 1) {
                    // Memory may be to blame, which has been forgotten.
                    continue;
                }
                Optional<LaneCommand> next = current.afterBug(bug);
                if (next.isEmpty()) {
                    current.giveUp(bug, this::offer);
                    return;
                }
                current = next.get();
                attempt = ATTEMPTS_MAX;
            }
        }
    }

    /** The command to try next; empty if the command has answered its caller. */
    private Optional<LaneCommand> afterRefusal(LaneCommand command, FlushRefused refused, int attempt) {
        Optional<LaneCommand> next = Optional.of(command);
        try {
            next = command.afterRefusal(refused, store, context);
        } catch (DatabaseLost lost) {
            log.atDebug().addKeyValue("lane", name).setCause(lost).log("The database was lost after a refusal");
        }
        if (next.filter(command::equals).isPresent() && attempt >= ATTEMPTS_MAX) {
            log.atError().addKeyValue("lane", name).setCause(refused).log("The database keeps rejecting a command");
            command.giveUp(refused, this::offer);
            return Optional.empty();
        }
        return next;
    }

    /**
     * If the flush leased jobs to sessions that other schedulers hold now, disconnects these sessions. Returns whether
     * that was the reason.
     */
    private boolean leaveMovedSessions(FlushRefused refused, List<LaneCommand> waiting) throws InterruptedException {
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

    /**
     * Waits for the database. If that takes long, tells the callers of these commands and of those in the inbox; the
     * commands are carried out in any case.
     */
    private void awaitDatabase(DatabaseLost first, List<LaneCommand> items) throws InterruptedException {
        connected = false;
        context.observer().databaseLost();
        log.atWarn()
                .addKeyValue("lane", name)
                .addKeyValue("reason", first.getMessage())
                .log("The database is lost; the lane waits for it");
        if (lostSinceNanos.isPresent()) {
            // The database accepted a connection again, but then rejected the batch.
            TimeUnit.NANOSECONDS.sleep(RECONNECT_INTERVAL.toNanos());
        } else {
            lostSinceNanos = OptionalLong.of(batchBeganNanos);
        }
        tellUnavailableAfterPatience(items);
        flows.forgetAll();
        context.backlog().forgetAll();
        while (true) {
            try {
                store.db().reconnect();
                leaseResync.run();
                connected = true;
                log.atInfo().addKeyValue("lane", name).log("The database is back");
                return;
            } catch (DatabaseLost stillLost) {
                tellUnavailableAfterPatience(items);
                TimeUnit.NANOSECONDS.sleep(RECONNECT_INTERVAL.toNanos());
            }
        }
    }

    private void tellUnavailableAfterPatience(List<LaneCommand> items) {
        if (System.nanoTime() - lostSinceNanos.orElseThrow() >= CALLERS_PATIENCE.toNanos()) {
            MillraceException unavailable = new MillraceException(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "The database does not answer, so it is unknown whether the request was or will be carried out. "
                            + "Repeat it, with the same request id if it has one.");
            Stream.concat(items.stream(), inbox.waiting().stream())
                    .forEach(command -> command.tellUnavailable(unavailable));
        }
    }
}
