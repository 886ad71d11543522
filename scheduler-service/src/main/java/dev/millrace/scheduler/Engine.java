package dev.millrace.scheduler;

import dev.millrace.scheduler.activity.Activities;
import dev.millrace.scheduler.affinity.AffinityFeature;
import dev.millrace.scheduler.attempt.AttemptFeature;
import dev.millrace.scheduler.cache.CacheFeature;
import dev.millrace.scheduler.child.ChildFeature;
import dev.millrace.scheduler.child.ChildOutbox;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.deadline.StartDeadlineFeature;
import dev.millrace.scheduler.deadline.StartDeadlines;
import dev.millrace.scheduler.event.EventFeature;
import dev.millrace.scheduler.event.LaneRecordingStore;
import dev.millrace.scheduler.event.Recording;
import dev.millrace.scheduler.event.RecordingLearned;
import dev.millrace.scheduler.eventhandler.MessageFeature;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.lane.CommitWatch;
import dev.millrace.scheduler.lane.JobNote;
import dev.millrace.scheduler.lane.JobsWait;
import dev.millrace.scheduler.lane.LaneFeature;
import dev.millrace.scheduler.lane.LaneObservers;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.lane.ResultStore;
import dev.millrace.scheduler.lane.RunsToStart;
import dev.millrace.scheduler.limit.ConcurrencyLimiter;
import dev.millrace.scheduler.limit.JobLimitFeature;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.operation.LaneOperations;
import dev.millrace.scheduler.operation.OperationFeature;
import dev.millrace.scheduler.option.RunOptionFeature;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.Queue;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.RunOperations;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.runtime.Closing;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.signal.LaneWaits;
import dev.millrace.scheduler.signal.SignalSender;
import dev.millrace.scheduler.signal.WaitFeature;
import dev.millrace.scheduler.start.LaneStarts;
import dev.millrace.scheduler.start.PendingRunStarter;
import dev.millrace.scheduler.start.RunStart;
import dev.millrace.scheduler.start.StartFeature;
import dev.millrace.scheduler.submission.Debounces;
import dev.millrace.scheduler.tag.PausedTags;
import dev.millrace.scheduler.tag.QueueGrpcService;
import dev.millrace.scheduler.tag.TagRates;
import dev.millrace.scheduler.tag.TagsResumed;
import dev.millrace.scheduler.telemetry.SchedulerMetrics;
import dev.millrace.scheduler.trace.RunTraces;
import dev.millrace.scheduler.trace.TraceExporter;
import dev.millrace.scheduler.trace.TraceFeature;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.wake.Deadlines;
import dev.millrace.scheduler.wake.DelayedJobs;
import dev.millrace.scheduler.wake.JobsWaitElsewhere;
import dev.millrace.scheduler.wake.LeaseEndedByOther;
import dev.millrace.scheduler.wake.NotificationsMissed;
import dev.millrace.scheduler.wake.SchedulerNotifications;
import dev.millrace.scheduler.worker.Workers;
import dev.millrace.scheduler.workspace.JobMoves;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import dev.millrace.scheduler.workspace.WorkspacesRead;
import io.grpc.BindableService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The active parts of a scheduler: lanes, workers, and everything that wakes them. */
final class Engine implements AutoCloseable {
    /** Features that take part in the flushes of the lanes, in the order in which they are called. */
    private static final List<LaneFeature.Maker> LANE_FEATURES = List.of(
            // First, so that the runs that a decision starts exist before another feature looks at the decision.
            OperationFeature::new,
            RunOptionFeature::new,
            StartFeature::new,
            StartDeadlineFeature::new,
            CacheFeature::new,
            AffinityFeature::new,
            ChildFeature::new,
            WaitFeature::new,
            JobLimitFeature::new,
            AttemptFeature::new,
            MessageFeature::new);

    /** How often a lane with free slots looks for jobs whose notifications it missed. */
    private static final Duration HEALING_INTERVAL = Duration.ofSeconds(5);

    private final Closing parts;
    private final Lanes lanes;
    private final CommitWatch commits;
    private final StartedJobs started;
    private final Workers workers;
    private final QueueGrpcService queues;
    private final EventBus bus;
    private final IdSource ids;

    private Engine(
            Closing parts,
            Lanes lanes,
            StartedJobs started,
            Workers workers,
            QueueGrpcService queues,
            EventBus bus,
            IdSource ids) {
        this.parts = parts;
        this.lanes = lanes;
        this.commits = new CommitWatch(lanes);
        this.started = started;
        this.workers = workers;
        this.queues = queues;
        this.bus = bus;
        this.ids = ids;
    }

    /**
     * Creates and starts all parts.
     *
     * @param random unpredictable, because lease tokens come from it
     */
    static Engine start(
            SchedulerConfig config,
            Database database,
            EventBus bus,
            IdSource ids,
            RandomGenerator random,
            RunEvents events,
            LogWriter logs,
            Scripts scripts,
            Flows flows,
            FlowCatalog catalog,
            SchedulerMemory memory,
            WorkspaceDirectory workspaces,
            SchedulerMetrics metrics,
            Recording recording,
            Tracing tracing) {
        InstantSource clock = InstantSource.system();
        SchedulerId self = new SchedulerId(UUID.randomUUID());
        SlotBoard slots = new SlotBoard();
        PausedTags pauses = PausedTags.start(database, bus, slots::pause);
        Activities activities = Activities.start(database);
        TagRates rates = new TagRates();
        Leases leases = new Leases();
        StartedJobs started = new StartedJobs();
        Closing parts = new Closing();
        parts.add(pauses);
        parts.add(activities);
        parts.add(tracing);
        TraceExporter traces = parts.add(TraceExporter.start(tracing, new RunTraces(database, started, tracing)));
        Lanes lanes = parts.add(new Lanes(
                self,
                config.lanes(),
                LaneRecordingStore.entering(recording, () -> database.openForLane("millrace lane")),
                catalog,
                new ResultStore(database),
                ids,
                random,
                slots,
                workspaces,
                leases,
                started,
                events,
                bus,
                config.job().lossesMax(),
                memory.results(),
                memory.flows().limitBytes(),
                new LaneObservers(List.of(metrics.laneObserver(), activities.observer(), rates)),
                features(recording, tracing, traces)));
        metrics.watch(lanes, slots, leases);
        bus.subscribe(RecordingLearned.class, _ -> lanes.wakeAll());
        bus.subscribe(JobsWaitElsewhere.class, jobs -> lanes.jobsMayWait(jobs.tag()));
        bus.subscribe(NotificationsMissed.class, _ -> lanes.anythingMayWait());
        bus.subscribe(TagsResumed.class, _ -> lanes.anythingMayWait());
        bus.subscribe(JobNote.class, note -> log(note, logs));
        ConcurrencyLimiter limits = new ConcurrencyLimiter(database, bus, tags -> {
            tags.forEach(lanes::jobsMayWait);
            bus.publish(new JobsWait(tags));
        });
        DelayedJobs delayed = new DelayedJobs(
                database,
                bus,
                tag -> {
                    if (JobLimit.isTag(tag)) {
                        limits.tell(Set.of(tag));
                    } else {
                        lanes.jobsMayWait(tag);
                    }
                },
                new LaneWaits(lanes)::end);
        Deadlines deadlines = new Deadlines(database, bus, new LaneStarts(lanes)::expire);
        SchedulerNotifications notifications = new SchedulerNotifications(self, database, bus);
        lanes.start();
        Workers workers = parts.add(Workers.start(
                config,
                database,
                lanes,
                new Workers.Shared(self, slots, leases, started, events, ids, memory.results(), tracing),
                logs,
                clock,
                workspaces,
                scripts,
                flows,
                bus));
        metrics.watchProcesses(workers::processes);
        bus.subscribe(
                LeaseEndedByOther.class, lease -> workers.leaseEnded(lease.session(), lease.job(), lease.reason()));
        bus.subscribe(NotificationsMissed.class, _ -> workers.heal());
        parts.add(notifications).start();
        parts.add(delayed).start();
        parts.add(deadlines).start();
        parts.add(limits).start();
        parts.add(ChildOutbox.start(database, bus, lanes, new LaneOperations(lanes, ids)));
        parts.add(PendingRunStarter.start(database, bus, flows, catalog, lanes));
        parts.add(StartDeadlines.start(database, bus, lanes));
        JobMoves moves = parts.add(new JobMoves(database, tags -> {
            tags.forEach(lanes::jobsMayWait);
            bus.publish(new JobsWait(Set.copyOf(tags)));
        }));
        bus.subscribe(WorkspacesRead.class, _ -> moves.wake());
        moves.start();
        parts.add(Loop.start("queue-healing", HEALING_INTERVAL, lanes::anythingMayWait));
        return new Engine(
                parts,
                lanes,
                started,
                workers,
                new QueueGrpcService(database, pauses, rates, activities, workspaces),
                bus,
                ids);
    }

    /** Without tracing, lanes do not even ask whether a run is traced. */
    private static List<LaneFeature.Maker> features(Recording recording, Tracing tracing, TraceExporter traces) {
        Stream<LaneFeature.Maker> all = Stream.concat(LANE_FEATURES.stream(), Stream.of(EventFeature.of(recording)));
        return tracing.isOn()
                ? Stream.concat(all, Stream.of(TraceFeature.maker(traces))).toList()
                : all.toList();
    }

    private static void log(JobNote note, LogWriter logs) {
        logs.system(
                note.job().run(),
                note.job().id(),
                note.job().stepKey(),
                note.job().attempt(),
                note.text());
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

    /** The runs that wait for further submissions. */
    Debounces.PendingRuns pendingRuns() {
        return new Debounces.PendingRuns() {
            @Override
            public void startLater() {
                bus.publish(new RunsToStart());
            }

            @Override
            public void fail(RunId run, JobError error) {
                var _ = new LaneStarts(lanes).begin(RunStart.Failed.ofNew(run, error));
            }

            @Override
            public void cancel(RunId run, JobError reason) {
                var _ = new LaneStarts(lanes).begin(RunStart.Canceled.ofNew(run, reason));
            }
        };
    }

    StartedJobs startedJobs() {
        return started;
    }

    IdSource ids() {
        return ids;
    }

    /** The gRPC services for workers and queues. */
    List<BindableService> services() {
        return Stream.concat(workers.services().stream(), Stream.of(queues)).toList();
    }

    /** Starts to end the sessions of silent workers. Call it once workers can connect. */
    void keepSessions() {
        workers.keepSessions();
    }

    /** Whether the lanes can commit at the moment. */
    boolean isReady() {
        return commits.canCommit();
    }

    /** Asks all workers to connect to another scheduler. */
    void drain() {
        workers.drain();
    }

    /** Finishes the accepted work, then stops. */
    @Override
    public void close() {
        parts.close();
    }
}
