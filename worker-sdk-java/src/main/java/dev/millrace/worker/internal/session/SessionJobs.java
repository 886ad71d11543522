package dev.millrace.worker.internal.session;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.CancelJob;
import dev.millrace.proto.worker.v1.HeldLease;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResultAck;
import dev.millrace.worker.internal.session.core.HeldLeases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leases of the session, from their arrival until the scheduler has acknowledged their results. Guarded by the monitor
 * of the {@link SessionClient}, unless noted otherwise.
 */
final class SessionJobs {
    private static final Logger logger = LoggerFactory.getLogger(SessionJobs.class);

    private final JobEngine engine;
    private final SharedFolders folders;
    private final Outbox outbox;
    private final BooleanSupplier certainlyLives;
    private final HeldLeases<LeaseKey, LeasedJob> held = new HeldLeases<>();
    private final AloneJob alone = new AloneJob();

    /** @param certainlyLives returns whether it is certain that the scheduler has not ended the session */
    SessionJobs(JobEngine engine, SharedFolders folders, Outbox outbox, BooleanSupplier certainlyLives) {
        this.engine = engine;
        this.folders = folders;
        this.outbox = outbox;
        this.certainlyLives = certainlyLives;
    }

    /** Whether a job runs alone here, or waits to run alone. Any thread may call this method. */
    boolean isAlone() {
        return alone.isHeld();
    }

    /** Leases for a Hello that resumes the session. */
    List<HeldLease> leases() {
        return held.leases().stream()
                .map(key -> HeldLease.newBuilder()
                        .setJobId(key.jobId())
                        .setLeaseToken(key.token())
                        .build())
                .toList();
    }

    /** Returns the job that waits to run alone, if there is one. */
    void giveBackWaiting(String reason) {
        LeasedJob waiting = alone.waiting();
        if (waiting != null) {
            waiting.giveBack(reason);
        }
    }

    /** Reports again which jobs have started, after the session was resumed. */
    void resendStarted() {
        held.jobs().stream().filter(job -> job.isHeld() && job.hasStarted()).forEach(outbox::addStarted);
    }

    /** Drops all jobs: their session is lost, and other workers run them. */
    void dropAll(String reason) {
        logger.atWarn()
                .addKeyValue("jobs", held.count())
                .addKeyValue("reason", reason)
                .log("The session is lost; its jobs are dropped.");
        for (LeaseKey lease : held.leases()) {
            drop(lease, reason);
        }
        held.forgetEnded();
    }

    /** Begins the job of a lease, unless the lease is held already or has ended in this session. */
    void accept(Lease lease, SessionLimits limits) {
        switch (held.arrival(new LeaseKey(lease.getJobId(), lease.getLeaseToken()))) {
            case NEW -> begin(lease, limits);
            case HELD -> logger.atDebug().addKeyValue("job", lease.getJobId()).log("The scheduler sent a lease twice.");
            case ENDED ->
                logger.atInfo()
                        .addKeyValue("job", lease.getJobId())
                        .log("The scheduler sent a lease that has ended here; its job does not begin again.");
        }
    }

    private void begin(Lease lease, SessionLimits limits) {
        Optional<Path> folder = Optional.empty();
        Optional<JobError> failure = Optional.empty();
        try {
            folder = folders.hold(lease);
        } catch (IOException e) {
            failure = Optional.of(JobErrors.of(
                    "SharedFolderError", "The worker cannot give the job its shared folder: " + e.getMessage(), true));
        }
        LeasedJob job = new LeasedJob(lease, limits, outbox, folder, certainlyLives);
        held.hold(job.key(), job);
        if (failure.isPresent()) {
            job.fail(failure.get());
        } else if (alone.isHeld()) {
            job.giveBack(AloneJob.REASON);
        } else if (lease.getAlone()) {
            alone.take(job);
            outbox.signal();
            beginAlone();
        } else {
            engine.accept(job);
        }
    }

    /** Passes the job that runs alone to the engine, once no other job is held. */
    private void beginAlone() {
        LeasedJob job = alone.next(held.count());
        if (job != null) {
            logger.atInfo()
                    .addKeyValue("job", job.jobId())
                    .log("A job runs alone here, because its workers were lost before.");
            engine.accept(job);
        }
    }

    /** Handles the end of a held job. */
    private void gone(LeasedJob job) {
        if (alone.isHeld()) {
            alone.forget(job);
            beginAlone();
            outbox.signal();
        }
    }

    void acknowledge(List<ResultAck> acks) {
        long turnaround = 0;
        for (ResultAck ack : acks) {
            turnaround = Math.max(turnaround, acknowledge(ack));
        }
        engine.noteTurnaround(turnaround);
    }

    /** Returns the nanoseconds since the job ended. */
    private long acknowledge(ResultAck ack) {
        LeaseKey key = new LeaseKey(ack.getJobId(), ack.getLeaseToken());
        LeasedJob job = held.end(key);
        outbox.acknowledgeResult(key);
        if (job != null) {
            gone(job);
        }
        if (ack.getDisposition() == ResultAck.Disposition.DISPOSITION_REFUSED) {
            logger.atInfo()
                    .addKeyValue("job", ack.getJobId())
                    .addKeyValue("reason", ack.getReason())
                    .log("The scheduler refused a late result.");
        }
        return job == null ? 0 : job.sinceEndNanos();
    }

    void cancel(CancelJob cancel) {
        drop(new LeaseKey(cancel.getJobId(), cancel.getLeaseToken()), cancel.getReason());
    }

    private void drop(LeaseKey key, String reason) {
        LeasedJob job = held.end(key);
        if (job == null) {
            return;
        }
        boolean stop = job.drop();
        outbox.forget(key);
        if (stop && !job.equals(alone.waiting())) {
            engine.stop(job, reason);
        }
        gone(job);
    }
}
