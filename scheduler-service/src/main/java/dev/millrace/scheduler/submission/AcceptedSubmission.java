package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;

/**
 * A submission that is durable.
 *
 * @param submission as it was handed to the queue
 * @param runs now accepted, or by an earlier submission with the same request id, or merged with
 */
public record AcceptedSubmission(Submission submission, List<RunId> runs) {
    public AcceptedSubmission {
        requireNonNull(submission, "submission");
        runs = List.copyOf(runs);
    }

    public RunId firstRun() {
        return runs.getFirst();
    }

    /** Whether the first run is one of this submission. */
    public boolean isNew() {
        return firstRun().equals(submission.runs().getFirst().id());
    }
}
