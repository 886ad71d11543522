package dev.millrace.scheduler.run.service;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.Runs;
import dev.millrace.scheduler.run.step.Steps;
import dev.millrace.scheduler.runtime.WakeLatch;
import dev.millrace.scheduler.submission.AcceptedSubmission;
import dev.millrace.scheduler.submission.PreparedSubmission;
import dev.millrace.scheduler.submission.Submissions;
import io.grpc.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Submits runs for callers that wait for the end, or for an early return. Blocking and thread-safe. */
final class SubmitAndWait {
    /** How often to look for an early return that another scheduler has made. */
    private static final Duration HEALING_INTERVAL = Duration.ofMillis(500);

    private final Submissions submissions;
    private final Runs runs;
    private final Steps steps;
    private final RunEvents events;

    SubmitAndWait(Submissions submissions, Runs runs, Steps steps, RunEvents events) {
        this.submissions = submissions;
        this.runs = runs;
        this.steps = steps;
        this.events = events;
    }

    /** Submits, and returns the run as accepted. */
    Run submit(PreparedSubmission submission) {
        AcceptedSubmission accepted = submissions.submit(submission);
        return accepted.isNew()
                ? AcceptedRun.of(accepted.submission())
                : runs.load(named(accepted.submission(), accepted.firstRun()));
    }

    /** Submits, and returns the run after its end or its early return, or as it is when {@code wait} ends. */
    RunAnswer submitAndWait(PreparedSubmission prepared, Duration wait) {
        Submission submission = prepared.submission();
        RunId expected = submission.runs().getFirst().id();
        Optional<String> step = submissions.earlyReturn(submission);
        try (RunCompletion end = new RunCompletion(events, expected)) {
            CompletableFuture<SubmitResult> answer = submissions.offer(prepared);
            if (step.isEmpty()) {
                end.awaitUnlessRefused(answer, wait);
            }
            AcceptedSubmission accepted = submissions.settle(prepared, answer);
            RunId id = accepted.firstRun();
            Optional<EarlyReturn> early = Optional.empty();
            if (!id.equals(expected)) {
                early = awaitAnother(id, wait, accepted.submission());
            } else if (step.isPresent()) {
                early = awaitStep(id, step.get(), end, wait);
            }
            RunRef named = named(accepted.submission(), id);
            Run run = early.isPresent() ? runs.load(named) : runs.loadEnded(named);
            return new RunAnswer(run, run.state().isEnd() ? Optional.empty() : early);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop.", interrupted);
        }
    }

    /**
     * Waits for a run with an unexpected id: one of an earlier submission, or of a submission that had to be repeated.
     */
    private Optional<EarlyReturn> awaitAnother(RunId run, Duration wait, Submission submission)
            throws InterruptedException {
        try (RunCompletion end = new RunCompletion(events, run)) {
            return runs.phaseOf(named(submission, run)) == RunPhases.Phase.LIVE
                    ? await(run, end, wait, submission)
                    : Optional.empty();
        }
    }

    private Optional<EarlyReturn> await(RunId run, RunCompletion end, Duration wait, Submission submission)
            throws InterruptedException {
        Optional<String> step = submissions.earlyReturn(submission);
        if (step.isPresent()) {
            return awaitStep(run, step.get(), end, wait);
        }
        end.await(wait);
        return Optional.empty();
    }

    private Optional<EarlyReturn> awaitStep(RunId run, String step, RunCompletion end, Duration wait)
            throws InterruptedException {
        WakeLatch changed = new WakeLatch();
        long deadline = System.nanoTime() + wait.toNanos();
        try (var _ = events.subscribe(run, changed::raise)) {
            Optional<EarlyReturn> found = findEarlyReturn(run, step);
            for (long left = wait.toNanos();
                    found.isEmpty()
                            && left > 0
                            && !end.isReached()
                            && !Context.current().isCancelled();
                    left = deadline - System.nanoTime()) {
                changed.await(Duration.ofNanos(Math.min(left, HEALING_INTERVAL.toNanos())));
                found = findEarlyReturn(run, step);
            }
            return found;
        }
    }

    private static RunRef named(Submission submission, RunId run) {
        return new RunRef(submission.workspace(), run);
    }

    /** The early return, if its step has succeeded. */
    private Optional<EarlyReturn> findEarlyReturn(RunId run, String step) {
        return steps.findResult(run, step).map(result -> new EarlyReturn(step, result));
    }
}
