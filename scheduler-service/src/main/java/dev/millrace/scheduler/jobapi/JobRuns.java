package dev.millrace.scheduler.jobapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.cache.UncachedRunStore;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.log.RunPhases.Phase;
import dev.millrace.scheduler.operation.Operations;
import dev.millrace.scheduler.queue.OperationNote;
import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.RunOperation;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.service.RunCompletion;
import dev.millrace.scheduler.submission.PreparedSubmission;
import dev.millrace.scheduler.submission.Submissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Runs that running jobs start and follow, with the rights of whoever started the run of the job.
 *
 * <p>A start is noted under its key before the run is accepted, in a transaction that the lease fences. The note has the id
 * of the run, and the submission has a request id that follows from it. So a repeated call, and a later attempt of the job,
 * find the note and accept the same run, if that is still to be done.
 */
final class JobRuns {
    /** Maximum number of runs that a job starts, in all its attempts. */
    static final int RUNS_PER_JOB_MAX = 1_000;

    /** Maximum number of runs that have started one another by their jobs, one below the other. */
    static final int START_DEPTH_MAX = 50;

    private static final int TRIES_MAX = 10;

    private final JobRights rights;
    private final JobRunStore store;
    private final Submissions submissions;
    private final Runs runs;
    private final RunEvents events;
    private final Operations operations;
    private final RunQuota quota;
    private final UncachedRunStore uncachedRuns;

    /** Checks what a job submits. */
    @FunctionalInterface
    interface Preparation {
        PreparedSubmission prepare(Access by, Workspace workspace);
    }

    JobRuns(
            Database database,
            JobRights rights,
            Submissions submissions,
            Runs runs,
            RunEvents events,
            Operations operations,
            RunQuota quota) {
        this.rights = rights;
        this.store = new JobRunStore(database);
        this.submissions = submissions;
        this.runs = runs;
        this.events = events;
        this.operations = operations;
        this.quota = quota;
        this.uncachedRuns = new UncachedRunStore(database);
    }

    /** Starts a run, unless the job has started one with this key. Returns the run that counts. */
    RunId start(LeaseCredential lease, String key, Preparation preparation) {
        JobSubject job = rights.load(lease);
        Access by = rights.of(job);
        rights.requireActive(job, by);
        PreparedSubmission prepared = preparation.prepare(by, job.workspace());
        for (int i = 0; i < TRIES_MAX; i++) {
            JobRunStore.Starts starts = store.find(lease, key).orElseThrow(LeaseCredential::lost);
            Optional<RunId> earlier = starts.earlier().map(JobRunStore.Earlier::run);
            Optional<RunState> state = earlier.flatMap(run -> stateOf(new RunRef(job.workspace(), run)));
            if (earlier.isPresent() && state.isPresent() && !isToRepeat(starts, state.get())) {
                return earlier.get();
            }
            quota.take(by, job.workspace(), inputBytes(prepared));
            if (earlier.isPresent() && state.isEmpty()) {
                // The call that noted the run did not come to the submission, or is about to make it.
                return accept(lease, prepared, earlier.get());
            }
            if (earlier.isEmpty()) {
                requireRoom(job, starts);
            }
            RunId run = prepared.submission().runs().getFirst().id();
            if (note(lease, job, starts, key, run)) {
                return accept(lease, prepared, run);
            }
        }
        throw new MillraceException(
                ErrorCode.OVERLOADED, "The job starts runs with the key \"" + key + "\" too often at the same time.");
    }

    /** Whether a run that an earlier attempt has started counts no more, as it ended without success. */
    private static boolean isToRepeat(JobRunStore.Starts starts, RunState state) {
        boolean hasFailed = state == RunState.FAILED || state == RunState.CANCELED;
        return hasFailed && starts.earlier().orElseThrow().attempt() < starts.attempt();
    }

    private static void requireRoom(JobSubject job, JobRunStore.Starts starts) {
        if (starts.started() >= RUNS_PER_JOB_MAX) {
            throw MillraceException.invalid(
                    "job_id",
                    "The job has started " + starts.started() + " runs (expected: at most " + RUNS_PER_JOB_MAX
                            + "): let a loop of a flow start more");
        }
        if (starts.depth() >= START_DEPTH_MAX) {
            throw MillraceException.invalid(
                    "job_id",
                    "Run " + job.run() + " is the last of " + starts.depth()
                            + " runs whose jobs have started one another (expected: at most " + START_DEPTH_MAX
                            + "): let one run start the others, or use a loop");
        }
    }

    private boolean note(LeaseCredential lease, JobSubject job, JobRunStore.Starts starts, String key, RunId run) {
        boolean[] isNoted = new boolean[1];
        LeaseFence.during(
                lease,
                () -> isNoted[0] = store.note(
                        lease, job, starts, key, run, starts.earlier().map(JobRunStore.Earlier::run)));
        return isNoted[0];
    }

    private RunId accept(LeaseCredential lease, PreparedSubmission prepared, RunId run) {
        RequestId request = new RequestId("job start " + run, sha256(run.toString()));
        RunId accepted = submissions.submit(prepared.as(run, request)).firstRun();
        if (!accepted.equals(run)) {
            store.merged(lease, run, accepted);
        }
        return accepted;
    }

    /** Waits until a run has ended, or the time is over. Returns whether it has ended. */
    boolean await(LeaseCredential lease, String runId, Duration wait) {
        JobSubject job = rights.load(lease);
        RunRef run = require(job, rights.of(job), Role.VIEWER, runId);
        if (run.id().equals(job.run())) {
            throw MillraceException.invalid(
                    "run_id", runId + " is the run of this job, which cannot end while the job waits for it");
        }
        try (RunCompletion end = new RunCompletion(events, run.id())) {
            if (runs.phaseOf(run) == Phase.LIVE) {
                end.await(wait);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop.", interrupted);
        }
        return runs.phaseOf(run) != Phase.LIVE;
    }

    /** Everybody who may use what the job's folder has cached may see the runs of that folder, but of no other. */
    Run read(LeaseCredential lease, String runId) {
        JobSubject job = rights.load(lease);
        RunRef run = require(job, rights.of(job), Role.VIEWER, runId);
        Run read = runs.loadEnded(run);
        if (!Folder.of(read.name()).equals(Folder.of(job.runName()))) {
            uncachedRuns.add(job.workspace(), job.run());
        }
        return read;
    }

    /** Cancels a run, unless it has ended. */
    void cancel(LeaseCredential lease, String runId, String reason) {
        JobSubject job = rights.load(lease);
        Access by = rights.of(job);
        RunRef run = require(job, by, Role.RUNNER, runId);
        if (runs.phaseOf(run) != Phase.LIVE) {
            return;
        }
        try {
            var _ = operations.operate(run, new RunOperation.Cancel(), new OperationNote(by.name(), reason, ""));
        } catch (MillraceException failure) {
            if (failure.code() != ErrorCode.RUN_ENDED) {
                throw failure;
            }
        }
    }

    /** The job of a lease, and what it may do. */
    Acting acting(LeaseCredential lease) {
        JobSubject job = rights.load(lease);
        return new Acting(new RunRef(job.workspace(), job.run()), rights.of(job));
    }

    /**
     * A job that acts for somebody.
     *
     * @param run of the job
     */
    record Acting(RunRef run, Access access) {}

    /** A run of the job's workspace. One that the job may not see is not found. */
    private RunRef require(JobSubject job, Access by, Role least, String runId) {
        RunRef run;
        try {
            run = new RunRef(job.workspace(), RunId.parse(runId));
        } catch (IllegalArgumentException notAnId) {
            throw MillraceException.invalid("run_id", "\"" + runId + "\" (expected: the id of a run)");
        }
        String none = "There is no run " + runId + ".";
        String name = runs.findName(run).orElseThrow(() -> new MillraceException(ErrorCode.RUN_NOT_FOUND, none));
        if (!by.allows(Role.VIEWER, job.workspace(), name)) {
            throw MillraceException.hiding(ErrorCode.RUN_NOT_FOUND, none);
        }
        by.require(least, job.workspace(), name);
        return run;
    }

    private static long inputBytes(PreparedSubmission prepared) {
        return prepared.submission().runs().getFirst().input().text().length();
    }

    private Optional<RunState> stateOf(RunRef run) {
        return runs.phaseOf(run) == Phase.UNKNOWN
                ? Optional.empty()
                : Optional.of(runs.load(run).state());
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
