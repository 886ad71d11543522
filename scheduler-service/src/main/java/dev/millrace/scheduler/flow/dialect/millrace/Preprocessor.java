package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.List;
import java.util.Optional;

/**
 * Reader of {@code preprocessor}: a task that runs before all other steps, as the first step of the flow. Its result
 * replaces {@code inputs} in the expressions of the other steps.
 */
final class Preprocessor {
    /** Key of the preprocessor and id of its step. */
    static final String KEY = "preprocessor";

    private Preprocessor() {}

    /** Reads the step; empty if the flow has none. */
    static Optional<StepDraft> read(Reading reading, Fields flow) {
        if (!flow.has(KEY)) {
            return Optional.empty();
        }
        StepParts parts = new StepParts(reading, 1);
        Fields fields = parts.object(flow, KEY, "a preprocessor", Hooks.TASK_KEYS);
        Optional<StepAction.Task> task = Hooks.task(parts, fields, KEY);
        return task.map(action -> new StepDraft(
                KEY,
                fields.mark(),
                fields.path(),
                List.of(),
                readable(reading, parts.references()),
                List.of(),
                action,
                StepPolicy.NONE));
    }

    /** Reports and removes expressions that read the result of a step, because none has ended yet. */
    private static List<Reference> readable(Reading reading, List<Reference> references) {
        references.stream()
                .filter(Preprocessor::readsStep)
                .forEach(reference -> reading.problem(
                        reference.mark(),
                        reference.path(),
                        "The preprocessor runs before all steps and cannot read their results.",
                        "Read inputs, the inputs of the run."));
        return references.stream().filter(reference -> !readsStep(reference)).toList();
    }

    private static boolean readsStep(Reference reference) {
        return !reference.target().reads().steps().isEmpty();
    }

    /** Returns the language for the expressions of the other steps. */
    static MillraceLanguage language(Reading reading, Optional<StepDraft> preprocessor) {
        return preprocessor.isPresent() ? reading.language().withInputsOf(KEY) : reading.language();
    }
}
