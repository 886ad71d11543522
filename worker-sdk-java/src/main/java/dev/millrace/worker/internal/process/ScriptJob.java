package dev.millrace.worker.internal.process;

import dev.millrace.worker.internal.session.LeasedJob;
import org.jspecify.annotations.Nullable;

/** A leased job inside the process host. Guarded by the pool's lock. */
final class ScriptJob {
    /**
     * A job whose process died this often before the job began fails, so that it does not end one process after
     * another.
     */
    static final int STRAYS_MAX = 3;

    /** Reason of a request to stop the job. */
    enum Stop {
        NONE,
        TIMED_OUT,
        CANCELED
    }

    final LeasedJob lease;
    final ScriptKey key;
    final SlotQueue queue;
    /** Line that starts the job; null until its secrets are resolved, if it has any. */
    byte @Nullable [] line;

    /** Whether its process once failed to start for a reason other than a fault of the worker. */
    boolean startFailed;

    Stop stop = Stop.NONE;
    int strays;

    /** Bytes of lines about the job that its process may not have read yet. */
    int pipedBytes;

    /** The job's line as queued for its process; null until there is a process. */
    ProcessInput.@Nullable Line sent;

    ScriptJob(LeasedJob lease, SlotQueue queue) {
        this.lease = lease;
        this.key = ScriptKey.of(lease.lease());
        this.queue = queue;
        this.line = hasSecrets() ? null : JobLine.job(lease, lease.lease().getInput());
    }

    private boolean hasSecrets() {
        return lease.lease().getHasSecrets();
    }

    /** Whether the job cannot begin before its secrets are resolved. */
    boolean awaitsSecrets() {
        return line == null;
    }

    /** Resets the job, because its process died before the job began. */
    void strayed() {
        strays++;
        stop = Stop.NONE;
        pipedBytes = 0;
        sent = null;
        line = hasSecrets() ? null : line;
        lease.restarted();
    }

    /** Whether the job has ended, or its lease is lost. */
    boolean hasEnded() {
        return !lease.isHeld();
    }

    /** Whether the process has received the line that starts the job, or may yet receive it. */
    boolean wasSent() {
        return sent != null && !sent.isLost();
    }

    /** Whether user code of the job may have run: its turn had come, and the process received its whole line. */
    boolean hasBegun() {
        return lease.hasStarted() && (sent == null || !sent.isLost());
    }
}
