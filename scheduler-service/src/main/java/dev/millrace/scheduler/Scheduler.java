package dev.millrace.scheduler;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.access.LocalCallers;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.alert.AlertParts;
import dev.millrace.scheduler.audit.AuditEvents;
import dev.millrace.scheduler.audit.AuditGrpcService;
import dev.millrace.scheduler.blob.BlobGrpcService;
import dev.millrace.scheduler.blob.Blobs;
import dev.millrace.scheduler.blob.JobBlobGrpcService;
import dev.millrace.scheduler.bulk.BulkWork;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.evaluation.StoredKilledRequests;
import dev.millrace.scheduler.event.EventGrpcService;
import dev.millrace.scheduler.event.EventRetention;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.event.Recording;
import dev.millrace.scheduler.expression.evaluator.Evaluators;
import dev.millrace.scheduler.identity.FirstOwner;
import dev.millrace.scheduler.identity.StandingTokens;
import dev.millrace.scheduler.jobapi.JobRights;
import dev.millrace.scheduler.log.LogReader;
import dev.millrace.scheduler.log.LogStore;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.quota.QuotaBook;
import dev.millrace.scheduler.quota.QuotaGrpcService;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.retention.Retention;
import dev.millrace.scheduler.retention.ServerGrpcService;
import dev.millrace.scheduler.rpc.CallMetrics;
import dev.millrace.scheduler.rpc.Followers;
import dev.millrace.scheduler.rpc.GrpcServer;
import dev.millrace.scheduler.run.RemoteCompletionPoller;
import dev.millrace.scheduler.run.RemoteFollowers;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.search.RunSearches;
import dev.millrace.scheduler.runtime.BufferedRandom;
import dev.millrace.scheduler.runtime.Closing;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.runtime.WallClock;
import dev.millrace.scheduler.secret.SecretParts;
import dev.millrace.scheduler.telemetry.SchedulerMetrics;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.trigger.TriggerRights;
import dev.millrace.scheduler.wake.EventsRecordedElsewhere;
import dev.millrace.scheduler.wake.FollowersAskedElsewhere;
import dev.millrace.scheduler.wake.NotificationsMissed;
import dev.millrace.scheduler.wake.RecordingChangedElsewhere;
import dev.millrace.scheduler.wake.RunsChangedElsewhere;
import dev.millrace.scheduler.wake.RunsFollowedElsewhere;
import dev.millrace.scheduler.wake.WorkspacesChangedElsewhere;
import dev.millrace.scheduler.worker.Workers;
import dev.millrace.scheduler.workspace.WorkspaceDeletion;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import dev.millrace.scheduler.workspace.WorkspaceGrpcService;
import dev.millrace.scheduler.workspace.Workspaces;
import dev.millrace.tls.InProcess;
import io.grpc.BindableService;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One scheduler: its parts, started in order and stopped in reverse. Any number of schedulers may share a database. */
public final class Scheduler implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Scheduler.class);

    private final Closing parts;
    private final Engine engine;
    private final Followers followers;
    private final GrpcServer server;
    private final String host;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Scheduler(Closing parts, Engine engine, Followers followers, GrpcServer server, String host) {
        this.parts = parts;
        this.engine = engine;
        this.followers = followers;
        this.server = server;
        this.host = host;
    }

    /** Connects, migrates the schema and starts to listen. Fails with a message that says what to do. */
    public static Scheduler start(SchedulerConfig config) {
        return start(config, InProcess.newTarget(), Metrics.ofProcess(), Tracing.start());
    }

    /**
     * Starts like {@link #start(SchedulerConfig)}.
     *
     * @param ownWorkers target of {@link InProcess} at which the scheduler also listens, for workers in this process
     * @param metrics metrics of this process, to which the scheduler adds its own
     * @param tracing decides which runs are traced; closed with the scheduler
     */
    public static Scheduler start(SchedulerConfig config, String ownWorkers, Metrics metrics, Tracing tracing) {
        config.grpc().requireProtection();
        Closing parts = new Closing();
        try {
            return start(config, ownWorkers, metrics, tracing, parts);
        } catch (RuntimeException failure) {
            parts.close();
            throw failure;
        }
    }

    /**
     * Adds each part to {@code parts} once it runs, so that the parts of a failed start are closed in reverse order.
     */
    private static Scheduler start(
            SchedulerConfig config, String ownWorkers, Metrics process, Tracing tracing, Closing parts) {
        Database database = parts.add(Database.open(config.database()));
        Evaluators.shared().configure(config.evaluator().settings());
        Evaluators.shared().remember(StoredKilledRequests.load(database));
        SchedulerMemory memory = SchedulerMemory.ofHeap();
        SchedulerMetrics metrics = new SchedulerMetrics(process);
        metrics.watch(memory.parts());
        parts.add(metrics.watch(database));
        RunEvents events = new RunEvents();
        LogStore logStore = new LogStore(database);
        EventBus bus = new EventBus();
        RemoteFollowers remote = parts.add(new RemoteFollowers(events, bus).start());
        bus.subscribe(RunsFollowedElsewhere.class, followed -> remote.followedElsewhere(followed.runs()));
        bus.subscribe(RunsChangedElsewhere.class, changed -> remote.changedElsewhere(changed.runs()));
        bus.subscribe(FollowersAskedElsewhere.class, _ -> remote.announce());
        bus.subscribe(NotificationsMissed.class, _ -> remote.heal());
        QuotaBook quotas = parts.add(QuotaBook.start(database, bus));
        LogWriter logWriter =
                parts.add(LogWriter.start(logStore, events, memory.logs(), quotas::takeLog, WallClock.micros()));
        Services services = new Services(config, database, tracing, bus);
        Retention retention = parts.add(new Retention(database, config.retention(), RetentionRules.ALL).start());
        RandomGenerator random = new BufferedRandom(new SecureRandom());
        IdSource ids = new IdSource(InstantSource.system()::millis, random);
        WorkspaceDirectory workspaces = parts.add(WorkspaceDirectory.start(database, bus));
        bus.subscribe(WorkspacesChangedElsewhere.class, _ -> workspaces.wake());
        bus.subscribe(NotificationsMissed.class, _ -> workspaces.wake());
        Recording recording = parts.add(new Recording(database, bus).start());
        bus.subscribe(RecordingChangedElsewhere.class, _ -> recording.wake());
        bus.subscribe(NotificationsMissed.class, _ -> recording.wake());
        Engine engine = parts.add(Engine.start(
                config,
                database,
                bus,
                ids,
                random,
                events,
                logWriter,
                services.scripts(),
                services.flows(),
                services.catalog(),
                memory,
                workspaces,
                metrics,
                recording,
                tracing));
        WorkspaceDeletion deletion = parts.add(
                new WorkspaceDeletion(database, engine.operations(), workspaces, bus, WorkspaceDeletion.SETTLING)
                        .start());
        parts.add(new RemoteCompletionPoller(database, events).start());
        Followers followers = parts.add(new Followers(memory.followers()));
        Runs runs = new Runs(database, engine.startedJobs());
        BulkWork bulkWork =
                parts.add(BulkWork.start(database, runs, engine.operations(), services.rerunInputs(), engine.ids()));
        SecretParts secrets = parts.add(SecretParts.start(config.secrets(), database, ids, random));
        List<BindableService> offered = new ArrayList<>(engine.services());
        offered.add(new ServerGrpcService(retention));
        boolean trustsLocalCallers =
                LocalCallers.areTrusted(config.grpc().host(), config.access().isTokenRequired());
        JobRights jobRights = new JobRights(database, workspaces, trustsLocalCallers);
        Events stream = new Events(database, bus, recording, EventRetention.kept(config.retention()));
        process.gauge(
                "millrace_event_readers", "Those who wait for events: streams, alerts, triggers", stream::readers);
        bus.subscribe(EventsRecordedElsewhere.class, _ -> stream.wake());
        bus.subscribe(NotificationsMissed.class, _ -> stream.wake());
        offered.addAll(services.serve(
                engine,
                runs,
                bulkWork,
                secrets,
                jobRights,
                quotas::takeRun,
                new TriggerRights(database, workspaces, trustsLocalCallers),
                new StandingTokens(database, ids, random),
                bus,
                parts,
                workspaces,
                database,
                new LogReader(logStore, logWriter),
                events,
                stream,
                followers,
                process));
        offered.addAll(AccessControl.services(config.access().oidc(), database, bus, ids, random));
        offered.add(new WorkspaceGrpcService(new Workspaces(database, workspaces, deletion::wake)));
        offered.add(new AuditGrpcService(new AuditEvents(database), followers));
        offered.add(new QuotaGrpcService(quotas));
        offered.add(new EventGrpcService(
                stream,
                new RunSearches(database, engine.startedJobs()),
                parts.add(new Followers(memory.followers(), "readers of events", EventGrpcService.READER_BYTES)),
                workspace -> workspaces.mayServe(workspace, WorkerScope.ALL)));
        offered.add(parts.add(AlertParts.start(
                        config.alert(), database, stream, secrets.secrets(), new Resources(database), random, process))
                .service());
        Blobs blobs = parts.add(Blobs.start(database, config.blob(), ids, memory.blobs(), quotas.blobs()));
        Followers readers = parts.add(new Followers(memory.blobs(), "readers of blobs", Blobs.READER_BYTES));
        offered.add(new BlobGrpcService(blobs, runs, readers));
        offered.add(new JobBlobGrpcService(blobs, readers));
        AccessControl access =
                parts.add(AccessControl.start(config, database, bus, ids, offered, runs, workspaces, quotas));
        FirstOwner.ensure(config, database, ids, random);
        GrpcServer server = parts.add(GrpcServer.start(
                config.grpc(),
                ownWorkers,
                offered,
                Workers.WAIT_FREE_METHODS,
                memory.ofCalls(config.limit().payloadBytesMax()),
                access.guards(),
                new CallMetrics(process),
                tracing.telemetry(),
                () -> engine.isReady() && database.answers()));
        engine.keepSessions();
        Evaluators.shared().warmUp();
        List<String> risky = database.riskySettings();
        if (!risky.isEmpty()) {
            log.atWarn()
                    .addKeyValue("off", risky)
                    .log("Postgres may lose accepted runs and results if its machine fails: turn these settings on");
        }
        server.reportDurability(risky.isEmpty());
        log.atInfo()
                .addKeyValue("host", config.grpc().host())
                .addKeyValue("port", server.port())
                .addKeyValue("tls", config.grpc().tls().isPresent())
                .addKeyValue("database", config.database().location().describe())
                .log("The scheduler is ready");
        return new Scheduler(parts, engine, followers, server, config.grpc().host());
    }

    /** The port on which the scheduler serves gRPC. */
    public int port() {
        return server.port();
    }

    /** The configured address on which the scheduler serves gRPC. */
    public String host() {
        return host;
    }

    /** Stops without losing anything: rejects new calls first, then finishes changes, then closes connections. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            server.drain();
            followers.close();
            engine.drain();
            parts.close();
            log.info("The scheduler has stopped");
        }
    }
}
