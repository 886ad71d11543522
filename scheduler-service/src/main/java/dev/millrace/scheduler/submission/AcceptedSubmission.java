package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;

/**
 * A durable submission.
 *
 * @param submission as passed to the queue
 * @param runs the accepted runs, those of an earlier submission with the same request id, or the run with which the
 *     submission was merged
 */
public record AcceptedSubmission(Submission submission, List<RunId> runs) {
    public AcceptedSubmission {
        requireNonNull(submission, "submission");
        runs = List.copyOf(runs);
    }

    public RunId firstRun() {
        return runs.getFirst();
    }

    /** Whether this submission created the first run. */
    public boolean isNew() {
        return firstRun().equals(submission.runs().getFirst().id());
    }
}
