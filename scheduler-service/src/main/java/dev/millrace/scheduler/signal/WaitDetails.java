package dev.millrace.scheduler.signal;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.schema.JsonSchemas;
import dev.millrace.scheduler.schema.SchemaInvalid;
import dev.millrace.scheduler.schema.SchemaProblem;
import dev.millrace.scheduler.signal.core.WaitSpec;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Validates an answer against what the author of the flow requires of the people who answer. */
final class WaitDetails {
    private WaitDetails() {}

    /**
     * Checks that a person may answer, and has a name if names are needed to tell people apart.
     *
     * @param starter finds who started the run
     * @throws MillraceException if the person may not answer
     */
    static void requireMayAnswer(WaitView wait, WaitSpec spec, String actor, Supplier<Optional<String>> starter) {
        if (!spec.mayAnswer(actor)) {
            List<String> names = spec.assignees().orElseThrow();
            throw new MillraceException(
                    ErrorCode.NOT_ASSIGNED,
                    (actor.isEmpty() ? "No actor is given" : "\"" + actor + "\" may not answer")
                            + ", and step \"" + wait.stepKey() + "\" waits for "
                            + (names.isEmpty()
                                    ? "nobody: its list of assignees is empty. Correct it in the flow, and cancel this run."
                                    : String.join(", ", names) + ". Give one of these names as the actor."));
        }
        if (!spec.allowsSelfApproval() && starter.get().filter(actor::equals).isPresent()) {
            throw new MillraceException(
                    ErrorCode.NOT_ASSIGNED,
                    "\"" + actor + "\" has started this run, and nobody may answer step \"" + wait.stepKey()
                            + "\" of an own run: ask somebody else to answer.");
        }
        if (actor.isEmpty() && spec.required() > 1) {
            throw MillraceException.invalid(
                    "actor",
                    "is missing: step \"" + wait.stepKey() + "\" waits for " + spec.required()
                            + " people, and each counts once. Give your name");
        }
    }

    /**
     * Checks that the payload matches the form of the wait, if it has one.
     *
     * @throws MillraceException with {@link ErrorCode#INVALID_REQUEST} if it does not
     */
    static void requireFits(WaitView wait, WaitSpec spec, Json payload) {
        spec.form().ifPresent(form -> requireFits(wait.stepKey(), form, payload));
    }

    private static void requireFits(String stepKey, Json form, Json payload) {
        List<SchemaProblem> problems;
        try {
            problems = JsonSchemas.compile(form).check(payload);
        } catch (SchemaInvalid unusable) {
            throw new MillraceException(
                    ErrorCode.INVALID_FLOW,
                    "The form of step \"" + stepKey + "\" is not a usable JSON Schema: " + unusable.getMessage()
                            + " Correct it in the flow and deploy it; this wait can only be denied.");
        }
        if (!problems.isEmpty()) {
            throw MillraceException.invalid(problems.stream()
                    .map(problem -> new FieldViolation(
                            field(problem.path()),
                            "does not fit the form of step \"" + stepKey + "\": it " + problem.message()))
                    .toList());
        }
    }

    private static String field(String path) {
        return path.isEmpty() ? "payload" : "payload." + path;
    }
}
