package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.SlotBoard;
import dev.millrace.scheduler.queue.SlotGroup;
import dev.millrace.scheduler.queue.SlotTime;
import dev.millrace.scheduler.queue.core.SessionId;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers the slots of workers for the jobs that they may take. Thread-safe. */
final class SlotOffers {
    private static final Logger log = LoggerFactory.getLogger(SlotOffers.class);

    private final ConnectedSessions connected;
    private final SessionStore store;
    private final Lanes lanes;
    private final SlotBoard slots;
    private final WorkspaceDirectory workspaces;

    SlotOffers(
            ConnectedSessions connected,
            SessionStore store,
            Lanes lanes,
            SlotBoard slots,
            WorkspaceDirectory workspaces) {
        this.connected = connected;
        this.store = store;
        this.lanes = lanes;
        this.slots = slots;
        this.workspaces = workspaces;
    }

    /**
     * Changes the slot groups of a worker. Writes to the database only if numbers of slots or pause reasons change,
     * because prefetch changes often.
     */
    void resize(WorkerSession session, List<dev.millrace.proto.worker.v1.SlotGroup> groups) {
        boolean changed;
        synchronized (session) {
            slots.resize(session.session(), groups(groups, session.scope()));
            changed = session.changesSlots(groups);
        }
        if (changed) {
            store.resize(session.session(), groups);
        }
        lanes.wake();
    }

    /**
     * Offers the slots of all workers for the jobs that they may take, because workspaces have changed. Writes to the
     * database if a worker has waited for a workspace that is new.
     */
    void workspacesChanged() {
        try {
            connected.all().stream().map(WorkerSession::scope).distinct().forEach(workspaces::prepareFor);
        } catch (MillraceException failure) {
            // The worker waits until workspaces change again; others must not.
            log.atWarn().setCause(failure).log("Workers that wait for a new workspace cannot serve it yet");
        }
        connected.all().forEach(this::offer);
        lanes.wake();
    }

    /**
     * Offers the slots of a worker for the jobs that it may take. A session that has just connected needs this, too: if
     * workspaces changed meanwhile, it was not among those that learned of it.
     */
    void offer(WorkerSession session) {
        synchronized (session) {
            slots.resize(session.session(), groups(session.groups(), session.scope()));
        }
    }

    /**
     * Heeds which workers are drained.
     *
     * @param drained for each session, whether its worker gets no more jobs
     */
    void drain(Map<SessionId, Boolean> drained) {
        boolean anyResumed = false;
        for (Map.Entry<SessionId, Boolean> session : drained.entrySet()) {
            anyResumed |= slots.drain(session.getKey(), session.getValue());
        }
        if (anyResumed) {
            lanes.anythingMayWait();
        }
    }

    /** How much of the slots of a worker was used lately. */
    Occupancy occupancy(WorkerSession session) {
        return session.occupancy(slots.slotTime(session.session()).orElse(SlotTime.ZERO));
    }

    /** The slot groups that a worker declares, with the tags of those workspaces that it serves. */
    List<SlotGroup> groups(List<dev.millrace.proto.worker.v1.SlotGroup> groups, WorkerScope scope) {
        return SessionProtos.groups(groups, tags -> workspaces.tagsFor(tags, scope));
    }
}
