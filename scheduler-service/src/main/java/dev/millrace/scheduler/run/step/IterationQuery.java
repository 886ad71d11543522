package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import java.util.Set;

/**
 * Which iterations of a loop a reader wants.
 *
 * @param loop key of the loop
 * @param states states of the iterations; empty for all
 * @param from number of the first one
 */
public record IterationQuery(String loop, Set<StepState> states, int from) {
    public IterationQuery {
        requireNonNull(loop, "loop");
        states = Set.copyOf(states);
    }
}
