package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.session.LeasedJob;

/** A leased job on its way through the process host. Guarded by the pool's monitor. */
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
    Stop stop = Stop.NONE;
    int strays;

    /** Written to a process that has not begun it yet. */
    boolean piped;

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
        piped = false;
        lease.restarted();
    }
}
