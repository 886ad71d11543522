package dev.millrace.scheduler.submission;

import dev.millrace.scheduler.flow.core.definition.FlowOptions.Debounce;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;

/**
 * A submission that may be merged with others.
 *
 * @param id id of the run if this submission is the first
 * @param key key of the submissions to merge; unique across workspaces and flows
 * @param flowHash flow version that the submission asks for
 * @param isComputed whether the key is computed, so that some keys are known only after their submissions are accepted
 * @param delay time until the run begins unless a further submission comes
 */
record DebouncedRun(
        RunId id,
        Workspace workspace,
        String key,
        boolean isComputed,
        String flowHash,
        NewRun run,
        Debounce debounce,
        Duration delay) {
    /** The folder in which a request id of the submission counts. */
    String folder() {
        return Folder.of(run.name());
    }

    /** The same with another delay. */
    DebouncedRun after(Duration other) {
        return new DebouncedRun(id, workspace, key, isComputed, flowHash, run, debounce, other);
    }
}
