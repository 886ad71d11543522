package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.config.SchedulerConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.log.LogWriter;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;
import io.grpc.BindableService;
import java.time.InstantSource;
import java.util.List;

/** The workers connected to this scheduler. */
public final class Workers implements AutoCloseable {
    private final Sessions sessions;
    private final SessionKeeper keeper;
    private final List<BindableService> services;

    private Workers(Sessions sessions, SessionKeeper keeper, List<BindableService> services) {
        this.sessions = sessions;
        this.keeper = keeper;
        this.services = services;
    }

    /** What workers share with the queue. */
    public record Shared(SlotBoard slots, Leases leases, StartedJobs started, RunEvents events, IdSource ids) {}

    public static Workers start(
            SchedulerConfig config,
            Database database,
            Lanes lanes,
            Shared shared,
            LogWriter logs,
            InstantSource clock) {
        SessionStore store = new SessionStore(database);
        Sessions sessions = new Sessions(
                store,
                lanes,
                shared.slots(),
                shared.leases(),
                shared.started(),
                shared.ids(),
                config.worker(),
                config.limit());
        SessionKeeper keeper = SessionKeeper.start(store, sessions, config.worker());
        WorkerSessionGrpcService sessionService = new WorkerSessionGrpcService(
                sessions, lanes, shared.leases(), shared.started(), shared.events(), logs, config.limit(), clock);
        return new Workers(sessions, keeper, List.of(sessionService, new WorkerGrpcService(store)));
    }

    /** What is served to workers and about them. */
    public List<BindableService> services() {
        return services;
    }

    /** Another scheduler ended this lease. */
    public void leaseEnded(SessionId session, JobId job, String reason) {
        sessions.leaseEnded(session, job, reason);
    }

    /** Asks all workers to reconnect, because this scheduler is about to stop; their leases stay valid. */
    public void drain() {
        sessions.connected().forEach(WorkerSession::drain);
    }

    @Override
    public void close() {
        keeper.close();
    }
}
