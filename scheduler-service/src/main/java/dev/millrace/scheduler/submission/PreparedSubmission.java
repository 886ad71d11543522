package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.RequestId;
import dev.millrace.scheduler.queue.Submission;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunTrigger;
import java.util.function.Supplier;

/**
 * A validated submission.
 *
 * @param submission may rely on remembered versions
 * @param lookedUp creates the submission again from the database, with new run ids, if a remembered version turns out
 *     to be outdated; fails as the first validation would have
 */
public record PreparedSubmission(Submission submission, Supplier<Submission> lookedUp) {
    public PreparedSubmission {
        requireNonNull(submission, "submission");
        requireNonNull(lookedUp, "lookedUp");
    }

    /** The same submission of one run, with another id and a request id. */
    public PreparedSubmission as(RunId run, RequestId request) {
        return new PreparedSubmission(
                submission.as(run, request), () -> lookedUp.get().as(run, request));
    }

    /** The same submission of one run, as one that a trigger starts. */
    public PreparedSubmission by(RunTrigger trigger) {
        return new PreparedSubmission(
                submission.by(trigger), () -> lookedUp.get().by(trigger));
    }
}
