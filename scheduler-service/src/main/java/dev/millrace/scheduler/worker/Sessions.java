package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.Heartbeat;
import dev.millrace.scheduler.affinity.FailStep;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.config.WorkerConfig;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.trace.Tracing;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The sessions that are connected to this scheduler: what their workers tell and ask. Thread-safe. */
final class Sessions {
    /** Maximum number of folders that a worker may ask about at a time. */
    private static final int FOLDERS_ASKED_MAX = 10_000;

    private final ConnectedSessions connected = new ConnectedSessions();
    private final SlotOffers offers;
    private final SessionEndings endings;
    private final SessionOpening opening;
    private final LeaseComparison comparison;
    private final GroupStore groups;
    private final Lanes lanes;
    private final Leases leases;
    private final WorkspaceDirectory workspaces;

    Sessions(
            SessionStore store,
            GroupStore groups,
            Lanes lanes,
            SlotBoard slots,
            Leases leases,
            StartedJobs started,
            IdSource ids,
            WorkspaceDirectory workspaces,
            WorkerConfig config,
            LimitConfig limits,
            Scripts scripts,
            int lossesMax,
            Tracing tracing) {
        this.groups = groups;
        this.lanes = lanes;
        this.leases = leases;
        this.workspaces = workspaces;
        LeaseReturn returns = new LeaseReturn(workspaces, lanes);
        this.offers = new SlotOffers(connected, store, lanes, slots, workspaces);
        this.endings = new SessionEndings(connected, store, lanes, slots, leases, started, config.heartbeatInterval());
        this.opening = new SessionOpening(
                connected,
                offers,
                endings,
                store,
                groups,
                lanes,
                slots,
                leases,
                ids,
                workspaces,
                () -> new LeaseMessages(returns, scripts, lossesMax, tracing),
                config,
                limits);
        this.comparison = new LeaseComparison(store, leases, slots, started, lanes, connected.byId());
    }

    SessionOpening opening() {
        return opening;
    }

    SessionEndings endings() {
        return endings;
    }

    SlotOffers offers() {
        return offers;
    }

    /** Number of processes that the connected workers report, by language and state. */
    Map<List<String>, Integer> processes() {
        Map<List<String>, Integer> counts = new HashMap<>();
        connected.all().forEach(session -> ReportedProcesses.count(session.reported(), counts));
        return counts;
    }

    /** Notes the processes that a worker reports with its heartbeat, and answers it. Does not wait. */
    void heartbeat(WorkerSession session, Heartbeat heartbeat) {
        session.report(ReportedProcesses.checked(
                heartbeat.getProcesses(), workspace -> workspaces.mayServe(workspace, session.scope())));
        session.answer(heartbeat);
    }

    /** Tells the worker which of the folders it asks about are no longer needed. Reads the database. */
    void endFolders(WorkerSession session, List<String> asked) {
        if (asked.size() > FOLDERS_ASKED_MAX) {
            throw new IllegalArgumentException("held_folders.group_ids: " + asked.size()
                    + " entries (expected: at most " + FOLDERS_ASKED_MAX + ")");
        }
        List<UUID> ended = groups.ended(
                session.session(), asked.stream().map(UUID::fromString).toList());
        if (!ended.isEmpty()) {
            session.endFolders(ended);
        }
    }

    /**
     * Makes lanes look for jobs that only these sessions may run, whichever scheduler has enqueued them. Reads the
     * database.
     */
    void findJobsFor(Collection<SessionId> sessions) {
        groups.waitingFor(sessions).forEach(lanes::jobsMayWait);
    }

    /** Fails the jobs whose group will never get its worker, because it was lost or does not serve their tags. */
    void failJobsInVain() {
        for (GroupStore.InVain step : groups.inVain()) {
            CompletableFuture<Void> _ = lanes.demand(
                    step.run(), done -> FailStep.of(step.run(), step.stepKey(), step.why(), step.tag(), done));
        }
    }

    /** Tells those workers that keep processes for current versions that these may have changed. */
    void versionsChanged() {
        connected.all().forEach(WorkerSession::versionsChanged);
    }

    /** Prepares for the stop of this scheduler. From now on, broken streams do not mean that workers are lost. */
    void drain() {
        endings.expectReconnects();
        connected.all().forEach(WorkerSession::reconnect);
    }

    /** Compares the leases of sessions connected here with the database; see {@link LeaseComparison#compare}. */
    boolean compareLeases(Collection<SessionId> sessions) {
        return comparison.compare(sessions);
    }

    /** Tells a worker to end at once, if it is connected to this scheduler. */
    void kill(SessionId id) {
        Optional.ofNullable(connected.byId().get(id)).ifPresent(WorkerSession::kill);
    }

    /** Handles a lease that another scheduler has ended. */
    void leaseEnded(SessionId id, JobId job, String reason) {
        if (connected.byId().containsKey(id)) {
            leases.find(job)
                    .filter(lease -> lease.slot().session().equals(id))
                    .ifPresent(lease -> comparison.leaseEnded(lease, reason));
        }
    }

    Collection<WorkerSession> connected() {
        return connected.all();
    }
}
