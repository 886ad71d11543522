package dev.millrace.scheduler.jobapi;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A running job, as far as its calls depend on it.
 *
 * @param step key of its step; empty for a run of a single job
 * @param runName path of the script or flow of the run, or name of its handler
 * @param starter who started the run, or the run that started it, and so on; absent if that was a caller without a token
 */
record JobSubject(Workspace workspace, RunId run, String step, String runName, Optional<RunStarter> starter) {
    private static final Pattern ITERATIONS = Pattern.compile("\\[[^\\]]*]");

    JobSubject {
        requireNonNull(workspace, "workspace");
        requireNonNull(run, "run");
        requireNonNull(step, "step");
        requireNonNull(runName, "runName");
        requireNonNull(starter, "starter");
    }

    /** Path of the state that later runs of the same step share; iterations of a loop share it, too. */
    String statePath() {
        return step.isEmpty()
                ? runName
                : runName + "#" + ITERATIONS.matcher(step).replaceAll("");
    }
}
