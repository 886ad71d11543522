package dev.millrace.scheduler.run.step;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.run.Times;

/** One iteration of a loop in its current state. */
public record Iteration(int number, String key, StepState state, Times times) {
    public Iteration {
        requireNonNull(key, "key");
        requireNonNull(state, "state");
        requireNonNull(times, "times");
    }
}
