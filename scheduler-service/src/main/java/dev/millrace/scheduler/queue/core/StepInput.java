package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

/**
 * An input that a person gives to a step of one run, in place of the input that the flow computes.
 *
 * @param step key of the step, for example {@code count[3].tokenize}
 * @param input a JSON object
 */
public record StepInput(String step, Json input) {
    public StepInput {
        requireNonNull(step, "step");
        requireNonNull(input, "input");
        if (step.isEmpty()) {
            throw new IllegalArgumentException("An input for a step has no step key (expected: for example count[3]).");
        }
    }
}
