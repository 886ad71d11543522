package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.lane.Lanes;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last check before a lease is sent: a worker never gets a job of a workspace that it may not serve. Tags route jobs to
 * the right workers. While a workspace is being isolated, schedulers that do not know it yet may still lease its jobs to
 * others; such leases return to the queue as if the worker had returned them.
 */
record LeaseReturn(WorkspaceDirectory workspaces, Lanes lanes) {
    private static final Logger log = LoggerFactory.getLogger(LeaseReturn.class);
    private static final String REASON = "The worker may not take jobs of this workspace.";

    /** Returns the lease to the queue if the worker may not have it. */
    boolean takesBack(WorkerSession session, LeasedJob lease) {
        if (workspaces.mayServe(lease.job().workspace(), session.scope())) {
            return false;
        }
        log.atDebug()
                .addKeyValue("worker", session.workerName())
                .addKeyValue("workspace", lease.job().workspace())
                .addKeyValue("job", lease.job().id())
                .log("A lease returns to the queue, because its worker may not serve the workspace");
        lanes.attemptEnded(
                lease.job().id(),
                lease.token(),
                new AttemptResult.Returned(REASON),
                -1,
                session.workerName(),
                SessionEndings.NOBODY,
                0);
        return true;
    }
}
