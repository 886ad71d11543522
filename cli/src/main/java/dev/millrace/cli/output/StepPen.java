package dev.millrace.cli.output;

import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.Step;
import java.util.Optional;

/**
 * How the lines of a tree are drawn.
 *
 * @param run to which the steps belong; empty if it is not known yet
 * @param branches names of parallel branches; none if no step is known to have some
 */
record StepPen(Optional<Run> run, Paint paint, StepFilter filter, BranchKeys branches) {
    /** How long the step ran in this run, or that an earlier run has done it; empty if neither is known. */
    Optional<String> time(Step step) {
        if (run.filter(it -> it.reuses(step)).isPresent()) {
            return Optional.of(paint.dim("reused"));
        }
        return run.map(it -> it.ownDuration(step)).orElseGet(step::runDuration).map(Durations::text);
    }
}
