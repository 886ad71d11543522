package dev.millrace.scheduler.expression;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What an expression can see while it is evaluated. */
public interface Scope {
    /** The input of the run, or of the sub-flow around the step, defaults filled in. */
    JsonValue inputs();

    /** The result of a step that has ended and that {@link Expression#reads} names. */
    JsonValue stepResult(String id);

    /** The result of a step; empty where no such step can be seen or it has not ended. */
    Optional<JsonValue> findStepResult(String id);

    /** A loop over items that goes on; empty where no such step can be seen, or is none, or has ended. Large loops are not seen. */
    default Optional<LoopSoFar> findLoop(String id) {
        return Optional.empty();
    }

    /** The item of the innermost loop. */
    JsonValue item();

    /** The position of that item, from 0. */
    int index();

    /** The item of a loop further out: 0 is the innermost loop, 1 the one around it; empty where there is none. */
    Optional<JsonValue> item(int outward);

    /** The position in a loop further out; -1 where there is none. */
    int index(int outward);

    /** The variables of the run, an object. */
    JsonValue variables();

    /** The environment of the flow, an object of constants. */
    JsonValue env();

    /** The result of the step itself, while it is decided what follows from its end. */
    Optional<JsonValue> result();

    /** An array of what the iterations of the loop have resulted in, while it is decided whether it goes on. */
    default Optional<JsonValue> resultsSoFar() {
        return Optional.empty();
    }

    /** The error of the step itself or of the run, while it is decided what follows from it: {@code {name, message, stack, step_id}}. */
    Optional<JsonValue> error();

    /** Which retry of the step this is, from 1, while it is cleaned up before that. */
    OptionalInt retry();

    /** When it is decided what follows, in milliseconds since 1970; empty where nothing is decided. */
    default OptionalLong now() {
        return OptionalLong.empty();
    }

    /** Id of the job whose input this is; empty elsewhere. */
    default Optional<String> jobId() {
        return Optional.empty();
    }

    /** Id of the run. */
    String runId();
}
