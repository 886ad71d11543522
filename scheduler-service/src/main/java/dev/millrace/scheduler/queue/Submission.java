package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * Runs to be accepted together.
 *
 * @param workspace owner of the runs
 * @param requestId makes the submission repeatable
 * @param runs at least one
 */
public record Submission(String workspace, Optional<RequestId> requestId, List<NewRun> runs) {
    public Submission {
        requireNonNull(workspace, "workspace");
        requireNonNull(requestId, "requestId");
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("runs: 0 (expected: at least 1)");
        }
    }
}
