package dev.millrace.scheduler.expression;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Values that an expression can read during its evaluation. */
public interface Scope {
    /** The input of the run, or of the sub-flow around the step, with defaults filled in. */
    JsonValue inputs();

    /** The result of a step that has ended and that {@link Expression#reads} names. */
    JsonValue stepResult(String id);

    /** The result of a step; empty if the step is not visible or has not ended. */
    Optional<JsonValue> findStepResult(String id);

    /**
     * Whether a step has run and succeeded. False if it has not ended, was skipped, failed although the failure is
     * tolerated, or is not visible.
     */
    default boolean hasSucceeded(String id) {
        return false;
    }

    /**
     * Finds a loop over items that has not ended. Empty if the step is not visible, is no such loop, or has too many
     * items.
     */
    default Optional<LoopSoFar> findLoop(String id) {
        return Optional.empty();
    }

    /** The item of the innermost loop. */
    JsonValue item();

    /** The index of that item, from 0. */
    int index();

    /**
     * The item of a loop further out: 0 is the innermost loop, 1 the next one outward. Empty if there is no such loop.
     */
    Optional<JsonValue> item(int outward);

    /** The index in a loop further out; -1 if there is no such loop. */
    int index(int outward);

    /** The variables of the run, an object. */
    JsonValue variables();

    /** The environment of the flow, an object of constants. */
    JsonValue env();

    /**
     * The result of the step that contains the expression. Present only while the flow machine decides what follows the
     * step.
     */
    Optional<JsonValue> result();

    /**
     * An array with the results of all iterations so far. Present only while the flow machine decides whether the loop
     * continues.
     */
    default Optional<JsonValue> resultsSoFar() {
        return Optional.empty();
    }

    /**
     * The error of the step that contains the expression, or of the run: {@code {name, message, stack, step_id}}.
     * Present only while the flow machine decides what follows the failure.
     */
    Optional<JsonValue> error();

    /** The number of the retry, from 1. Present only in tasks that run before a retry. */
    OptionalInt retry();

    /** The time of the decision, in milliseconds since 1970; empty outside decisions. */
    default OptionalLong now() {
        return OptionalLong.empty();
    }

    /** Id of the job whose input contains the expression; empty for any other expression. */
    default Optional<String> jobId() {
        return Optional.empty();
    }

    String runId();
}
