package dev.millrace.scheduler.queue;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunTrigger;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs to be accepted together.
 *
 * @param workspace owner of the runs
 * @param requestId makes the submission idempotent
 * @param runs at least one
 * @param assumed versions that the targets of the runs rely on; if one is outdated, no run is accepted
 */
public record Submission(
        Workspace workspace, Optional<RequestId> requestId, List<NewRun> runs, Set<AssumedVersion> assumed) {
    public Submission {
        requireNonNull(workspace, "workspace");
        requireNonNull(requestId, "requestId");
        runs = List.copyOf(runs);
        assumed = Set.copyOf(assumed);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("runs: 0 (expected: at least 1)");
        }
    }

    /** The folder in which the request id counts: that of the first run. */
    public String folder() {
        return Folder.of(runs.getFirst().name());
    }

    /** The same submission of one run, with another id and a request id. */
    public Submission as(RunId run, RequestId request) {
        NewRun only = only();
        NewRun named = new NewRun(run, only.target(), only.name(), only.input(), only.asked());
        return new Submission(workspace, Optional.of(request), List.of(named), assumed);
    }

    /** The same submission of one run, as one that a trigger starts. */
    public Submission by(RunTrigger trigger) {
        NewRun only = only();
        NewRun started = new NewRun(
                only.id(),
                only.target(),
                only.name(),
                only.input(),
                only.asked().with(trigger));
        return new Submission(workspace, requestId, List.of(started), assumed);
    }

    private NewRun only() {
        if (runs.size() > 1) {
            throw new IllegalStateException(runs.size() + " runs where one is expected");
        }
        return runs.getFirst();
    }

    /** Creates a submission that relies on no versions. */
    public Submission(Workspace workspace, Optional<RequestId> requestId, List<NewRun> runs) {
        this(workspace, requestId, runs, Set.of());
    }
}
