package dev.millrace.scheduler.worker;

import dev.millrace.memory.MemoryPart;
import dev.millrace.proto.worker.v1.WorkerSessionServiceGrpc;
import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.packages.PackageLocks;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SchedulerId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.version.VersionsChanged;
import dev.millrace.scheduler.wake.DrainsChanged;
import dev.millrace.scheduler.wake.DrainsChangedElsewhere;
import dev.millrace.scheduler.wake.NotificationsMissed;
import dev.millrace.scheduler.wake.VersionsChangedElsewhere;
import dev.millrace.scheduler.wake.WorkerKilled;
import dev.millrace.scheduler.wake.WorkerKilledElsewhere;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import dev.millrace.scheduler.workspace.WorkspacesRead;
import io.grpc.BindableService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workers connected to this scheduler, with their sessions and services. */
public final class Workers implements AutoCloseable {
    /** Full names of the methods whose handlers never block. */
    public static final Set<String> WAIT_FREE_METHODS =
            Set.of(WorkerSessionServiceGrpc.getOpenSessionMethod().getFullMethodName());

    private static final Logger log = LoggerFactory.getLogger(Workers.class);
    /** Time for a scheduler to restart after an orderly stop, before the jobs of its workers are requeued. */
    private static final Duration RESTART_GRACE = Duration.ofSeconds(30);

    private final SessionStore store;
    private final Duration sessionTtl;
    private final Sessions sessions;
    private final SessionKeeper keeper;
    private final List<BindableService> services;

    private Workers(
            SessionStore store,
            Duration sessionTtl,
            Sessions sessions,
            SessionKeeper keeper,
            List<BindableService> services) {
        this.store = store;
        this.sessionTtl = sessionTtl;
        this.sessions = sessions;
        this.keeper = keeper;
        this.services = services;
    }

    /**
     * Objects that the workers share with the queue.
     *
     * @param results memory budget of results that wait for a lane
     */
    public record Shared(
            SchedulerId scheduler,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            RunEvents events,
            IdSource ids,
            MemoryPart results,
            Tracing tracing) {}

    public static Workers start(
            SchedulerConfig config,
            Database database,
            Lanes lanes,
            Shared shared,
            LogWriter logs,
            InstantSource clock,
            WorkspaceDirectory workspaces,
            Scripts scripts,
            Flows flows,
            EventBus bus) {
        SessionStore store = new SessionStore(database, shared.scheduler());
        Sessions sessions = new Sessions(
                store,
                new GroupStore(database),
                lanes,
                shared.slots(),
                shared.leases(),
                shared.started(),
                shared.ids(),
                workspaces,
                config.worker(),
                config.limit(),
                scripts,
                config.job().lossesMax(),
                shared.tracing());
        Runnable versions = () -> Thread.startVirtualThread(sessions::versionsChanged);
        bus.subscribe(VersionsChanged.class, _ -> versions.run());
        bus.subscribe(VersionsChangedElsewhere.class, _ -> versions.run());
        bus.subscribe(NotificationsMissed.class, _ -> versions.run());
        bus.subscribe(WorkerKilled.class, worker -> sessions.kill(worker.session()));
        bus.subscribe(WorkerKilledElsewhere.class, worker -> sessions.kill(worker.session()));
        bus.subscribe(WorkspacesRead.class, _ -> Thread.startVirtualThread(sessions.offers()::workspacesChanged));
        SessionKeeper keeper = new SessionKeeper(store, sessions, config.worker());
        bus.subscribe(DrainsChanged.class, _ -> keeper.wake());
        bus.subscribe(DrainsChangedElsewhere.class, _ -> keeper.wake());
        WorkerSessionGrpcService sessionService = new WorkerSessionGrpcService(
                sessions,
                keeper::wake,
                lanes,
                new LogOrigins(new LogOriginStore(database), shared.leases()),
                shared.leases(),
                shared.started(),
                shared.events(),
                logs,
                config.limit(),
                clock,
                shared.results(),
                shared.tracing());
        return new Workers(
                store,
                config.worker().sessionTtl(),
                sessions,
                keeper,
                List.of(
                        sessionService,
                        new WorkerGrpcService(store, new DrainStore(database), workspaces, bus),
                        new DedicatedScriptGrpcService(
                                new DedicatedScripts(scripts, flows, new PackageLocks(database), workspaces),
                                workspaces)));
    }

    /** The gRPC services for workers and about workers. */
    public List<BindableService> services() {
        return services;
    }

    /**
     * Starts to keep sessions alive and to end those that are silent. Call it once workers can connect: time that a
     * scheduler takes to start is not silence of a worker, which may have no other scheduler to turn to.
     */
    public void keepSessions() {
        keeper.start();
    }

    /** Number of processes that the connected workers report, by language and state. */
    public Map<List<String>, Integer> processes() {
        return sessions.processes();
    }

    /** Looks for changes whose notifications may have been missed. */
    public void heal() {
        keeper.wake();
    }

    /** Handles a lease that another scheduler has ended. */
    public void leaseEnded(SessionId session, JobId job, String reason) {
        sessions.leaseEnded(session, job, reason);
    }

    /**
     * Asks all workers to reconnect, because this scheduler is about to stop. Their leases remain valid, and their
     * sessions live long enough for this scheduler to restart.
     */
    public void drain() {
        List<SessionStore.Keep> kept = sessions.connected().stream()
                .map(session -> new SessionStore.Keep(
                        session.session(),
                        sessionTtl.plus(RESTART_GRACE),
                        sessions.offers().occupancy(session)))
                .toList();
        try {
            var _ = store.extend(kept);
        } catch (MillraceException databaseAway) {
            log.atWarn().setCause(databaseAway).log("Could not extend the sessions of workers for a restart");
        }
        sessions.drain();
    }

    @Override
    public void close() {
        keeper.close();
    }
}
