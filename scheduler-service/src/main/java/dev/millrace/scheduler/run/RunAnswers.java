package dev.millrace.scheduler.run;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.log.RunPhases;
import dev.millrace.scheduler.queue.RunEvents;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.runtime.Signal;
import io.grpc.Context;
import java.time.Duration;
import java.util.Optional;

/** Submits runs for callers that wait for the end, or for what the flow returns early. Blocking and thread-safe. */
final class RunAnswers {
    /** How often to look for an early return without being woken, for what other schedulers have changed. */
    private static final Duration HEALING_INTERVAL = Duration.ofMillis(500);

    private final Submissions submissions;
    private final Runs runs;
    private final RunEvents events;

    RunAnswers(Submissions submissions, Runs runs, RunEvents events) {
        this.submissions = submissions;
        this.runs = runs;
        this.events = events;
    }

    /** The run as accepted. */
    Run submit(Submission submission) {
        RunId accepted = submissions.submit(submission).getFirst();
        boolean isNew = accepted.equals(submission.runs().getFirst().id());
        return isNew ? AcceptedRun.of(submission) : runs.load(accepted);
    }

    /** The run at its end, at its early return, or as it stands where the wait is over. */
    RunAnswer submitAndWait(Submission submission, Duration wait) {
        RunId mine = submission.runs().getFirst().id();
        try (EndOfRun end = new EndOfRun(events, mine)) {
            RunId accepted = submissions.submit(submission).getFirst();
            Optional<EarlyReturn> early = accepted.equals(mine)
                    ? await(mine, end, wait, submission)
                    : awaitEarlier(accepted, wait, submission);
            Run run = early.isPresent() ? runs.load(accepted) : runs.loadEnded(accepted);
            return new RunAnswer(run, run.state().isEnd() ? Optional.empty() : early);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new MillraceException(ErrorCode.SHUTTING_DOWN, "The scheduler is about to stop.", interrupted);
        }
    }

    /** A run that an earlier submission began. */
    private Optional<EarlyReturn> awaitEarlier(RunId run, Duration wait, Submission submission)
            throws InterruptedException {
        try (EndOfRun end = new EndOfRun(events, run)) {
            return runs.phaseOf(run) == RunPhases.Phase.LIVE ? await(run, end, wait, submission) : Optional.empty();
        }
    }

    private Optional<EarlyReturn> await(RunId run, EndOfRun end, Duration wait, Submission submission)
            throws InterruptedException {
        Optional<String> step = submissions.earlyReturn(submission);
        if (step.isPresent()) {
            return awaitStep(run, step.get(), end, wait);
        }
        end.await(wait);
        return Optional.empty();
    }

    private Optional<EarlyReturn> awaitStep(RunId run, String step, EndOfRun end, Duration wait)
            throws InterruptedException {
        Signal changed = new Signal();
        long deadline = System.nanoTime() + wait.toNanos();
        try (var _ = events.subscribe(run, changed::raise)) {
            Optional<EarlyReturn> found = runs.findEarlyReturn(run, step);
            for (long left = wait.toNanos();
                    found.isEmpty()
                            && left > 0
                            && !end.isReached()
                            && !Context.current().isCancelled();
                    left = deadline - System.nanoTime()) {
                changed.await(Duration.ofNanos(Math.min(left, HEALING_INTERVAL.toNanos())));
                found = runs.findEarlyReturn(run, step);
            }
            return found;
        }
    }
}
