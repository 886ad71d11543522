package dev.millrace.scheduler;

import dev.millrace.scheduler.affinity.AffinityFeature;
import dev.millrace.scheduler.cache.CacheFeature;
import dev.millrace.scheduler.child.ChildFeature;
import dev.millrace.scheduler.child.ChildNotes;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.flow.core.graph.FlowModels;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.lane.ResultStore;
import dev.millrace.scheduler.limit.JobLimitFeature;
import dev.millrace.scheduler.limit.LimitKeeper;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.operation.LaneOperations;
import dev.millrace.scheduler.operation.OperationFeature;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.Queue;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.runtime.BufferedRandom;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.signal.LaneWaits;
import dev.millrace.scheduler.signal.SignalSender;
import dev.millrace.scheduler.signal.WaitFeature;
import dev.millrace.scheduler.start.LaneStarts;
import dev.millrace.scheduler.start.RunStarts;
import dev.millrace.scheduler.start.StartFeature;
import dev.millrace.scheduler.wake.Deadlines;
import dev.millrace.scheduler.wake.DelayedJobs;
import dev.millrace.scheduler.wake.NotificationBus;
import dev.millrace.scheduler.wake.Signals;
import dev.millrace.scheduler.worker.Workers;
import io.grpc.BindableService;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** The moving part of a scheduler: lanes, workers, and what wakes them. */
final class Engine implements AutoCloseable {
    /** Features that take part in what the lanes write. */
    private static final List<LaneFeature.Maker> LANE_FEATURES = List.of(
            // What a step starts is done before anything else is known of the step.
            OperationFeature::new,
            StartFeature::new,
            CacheFeature::new,
            AffinityFeature::new,
            ChildFeature::new,
            WaitFeature::new,
            JobLimitFeature::new);

    /** How often a lane with room looks for jobs that nobody told it about. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    private final Lanes lanes;
    private final StartedJobs started;
    private final Workers workers;
    private final DelayedJobs delayed;
    private final Deadlines deadlines;
    private final LimitKeeper limits;
    private final RunStarts starts;
    private final ChildNotes childNotes;
    private final NotificationBus bus;
    private final Loop healing;
    private final IdSource ids;

    private Engine(
            Lanes lanes,
            StartedJobs started,
            Workers workers,
            DelayedJobs delayed,
            Deadlines deadlines,
            LimitKeeper limits,
            RunStarts starts,
            ChildNotes childNotes,
            NotificationBus bus,
            Loop healing,
            IdSource ids) {
        this.lanes = lanes;
        this.started = started;
        this.workers = workers;
        this.delayed = delayed;
        this.deadlines = deadlines;
        this.limits = limits;
        this.starts = starts;
        this.childNotes = childNotes;
        this.bus = bus;
        this.healing = healing;
        this.ids = ids;
    }

    /** Starts everything; {@code starts} begins runs that were put off. */
    static Engine start(
            SchedulerConfig config,
            Database database,
            RunEvents events,
            LogWriter logs,
            FlowModels models,
            SchedulerMemory memory,
            Function<Lanes, RunStarts> starts) {
        InstantSource clock = InstantSource.system();
        SchedulerId self = new SchedulerId(UUID.randomUUID());
        // Lease tokens come from it: nobody may guess what comes.
        RandomGenerator random = new BufferedRandom(new SecureRandom());
        IdSource ids = new IdSource(clock::millis, random);
        SlotBoard slots = new SlotBoard();
        Leases leases = new Leases();
        StartedJobs started = new StartedJobs();
        AtomicReference<Lanes> lanesLater = new AtomicReference<>();
        AtomicReference<Workers> workersLater = new AtomicReference<>();
        Signals.Listener others = new Signals.Listener() {
            @Override
            public void jobsWait(String tag) {
                lanesLater.get().jobsMayWait(tag);
            }

            @Override
            public void leaseEnded(SessionId session, JobId job, String reason) {
                workersLater.get().leaseEnded(session, job, reason);
            }
        };
        AtomicReference<Signals> signalsLater = new AtomicReference<>();
        LimitKeeper limits = new LimitKeeper(database, tags -> {
            tags.forEach(lanesLater.get()::jobsMayWait);
            signalsLater.get().jobsWait(tags);
        });
        DelayedJobs delayed = new DelayedJobs(
                database,
                tag -> {
                    if (JobLimit.isTag(tag)) {
                        limits.tell(Set.of(tag));
                    } else {
                        lanesLater.get().jobsMayWait(tag);
                    }
                },
                wait -> new LaneWaits(lanesLater.get()).end(wait));
        Deadlines deadlines = new Deadlines(database, run -> new LaneStarts(lanesLater.get()).expire(run));
        AtomicReference<RunStarts> startsLater = new AtomicReference<>();
        AtomicReference<ChildNotes> childNotesLater = new AtomicReference<>();
        NotificationBus bus = new NotificationBus(database, message -> Signals.read(message, self, others), () -> {
            lanesLater.get().anythingMayWait();
            workersLater.get().heal();
            signalsLater.get().heal();
        });
        Signals signals = new Signals(
                self,
                (job, text) -> logs.system(job.run(), job.id(), job.stepKey(), job.attempt(), text),
                bus,
                delayed,
                deadlines,
                () -> Optional.ofNullable(startsLater.get()).ifPresent(RunStarts::wake),
                () -> Optional.ofNullable(childNotesLater.get()).ifPresent(ChildNotes::wake),
                limits::tell);
        signalsLater.set(signals);
        Lanes lanes = new Lanes(
                self,
                config.lanes(),
                () -> database.openForLane("millrace lane"),
                models,
                new ResultStore(database),
                ids,
                random,
                slots,
                leases,
                started,
                events,
                signals,
                config.job().lossesMax(),
                memory.results(),
                memory.flows().limitBytes(),
                LANE_FEATURES);
        lanesLater.set(lanes);
        lanes.start();
        Workers workers = Workers.start(
                config,
                database,
                lanes,
                new Workers.Shared(self, slots, leases, started, events, ids, memory.results()),
                logs,
                clock);
        workersLater.set(workers);
        bus.start();
        delayed.start();
        deadlines.start();
        limits.start();
        RunStarts startsNow = starts.apply(lanes);
        startsLater.set(startsNow);
        ChildNotes childNotes = ChildNotes.start(database, lanes, new LaneOperations(lanes, ids));
        childNotesLater.set(childNotes);
        Loop healing = Loop.start("queue-healing", HEALING_INTERVAL, lanes::anythingMayWait);
        return new Engine(
                lanes, started, workers, delayed, deadlines, limits, startsNow, childNotes, bus, healing, ids);
    }

    Queue queue() {
        return lanes;
    }

    RunOperations operations() {
        return new LaneOperations(lanes, ids);
    }

    SignalSender signals() {
        return new LaneWaits(lanes);
    }

    /** A run was put off. */
    void startLater() {
        starts.wake();
    }

    StartedJobs startedJobs() {
        return started;
    }

    IdSource ids() {
        return ids;
    }

    /** The services for workers. */
    List<BindableService> services() {
        return workers.services();
    }

    /** Whether changes can be made durable now. */
    boolean isReady() {
        return lanes.isConnected();
    }

    /** Asks all workers to go elsewhere. */
    void drain() {
        workers.drain();
    }

    /** Finishes what was taken, then stops. */
    @Override
    public void close() {
        healing.close();
        starts.close();
        childNotes.close();
        limits.close();
        deadlines.close();
        delayed.close();
        bus.close();
        workers.close();
        lanes.close();
    }
}
