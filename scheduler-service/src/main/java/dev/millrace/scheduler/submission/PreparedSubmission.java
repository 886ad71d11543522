package dev.millrace.scheduler.submission;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.Submission;
import java.util.function.Supplier;

/**
 * A checked submission.
 *
 * @param submission may rely on remembered versions
 * @param lookedUp makes it again from what the database says, with other run ids, for the case that a remembered version is outdated; fails
 *     as the first check would have
 */
public record PreparedSubmission(Submission submission, Supplier<Submission> lookedUp) {
    public PreparedSubmission {
        requireNonNull(submission, "submission");
        requireNonNull(lookedUp, "lookedUp");
    }
}
