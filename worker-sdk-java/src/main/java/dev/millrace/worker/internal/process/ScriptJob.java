package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.session.LeasedJob;
import org.jspecify.annotations.Nullable;

/** A leased job on its way through the process host. Guarded by the pool's lock. */
final class ScriptJob {
    /** A job whose process dies this often before the job begins fails, rather than take down one process after another. */
    static final int STRAYS_MAX = 3;

    /** Why the job was asked to stop. */
    enum Stop {
        NONE,
        TIMED_OUT,
        CANCELED
    }

    final LeasedJob lease;
    final ScriptKey key;
    final SlotQueue queue;
    final byte[] line;
    /** Whether its process could not be started by a fault that was not the worker's. */
    boolean startFailed;

    Stop stop = Stop.NONE;
    int strays;

    /** Bytes of lines about the job that its process may not have read yet. */
    int pipedBytes;

    /** The line as it went to the job's process; null while that is not there. */
    ProcessInput.@Nullable Line sent;

    ScriptJob(LeasedJob lease, SlotQueue queue) {
        this.lease = lease;
        this.key = new ScriptKey(lease.lease().getWorkspace(), lease.lease().getScriptHash());
        this.queue = queue;
        this.line = JobLine.job(lease);
    }

    /** Gone back to the queue because its process died before the job began. */
    void strayed() {
        strays++;
        stop = Stop.NONE;
        pipedBytes = 0;
        sent = null;
        lease.restarted();
    }

    /** Whether user code of the job may have run: its turn had come, and the process had all of its line. */
    boolean hasBegun() {
        return lease.hasStarted() && (sent == null || !sent.isLost());
    }
}
