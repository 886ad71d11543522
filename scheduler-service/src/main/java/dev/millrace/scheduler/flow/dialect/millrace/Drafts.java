package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.Step;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepList;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists and steps as read, with the places that the checks report. */
final class Drafts {
    private Drafts() {}

    /** A list of steps. */
    record ListDraft(List<StepDraft> steps, Value output, boolean loop, boolean single) {
        StepList list() {
            List<Step> built = new ArrayList<>();
            for (StepDraft step : steps) {
                built.add(new Step(
                        step.id(),
                        step.needs().stream().map(Need::id).distinct().toList(),
                        step.action()));
            }
            return new StepList(built, output.template());
        }
    }

    /** A step; {@code inner} are the lists of a container. */
    record StepDraft(
            String id,
            Mark mark,
            String path,
            List<Need> needs,
            List<Reference> references,
            List<ListDraft> inner,
            StepAction action) {}

    /** A step that another needs. */
    record Need(String id, Mark mark, String path) {}

    /** An expression that reads something. */
    record Reference(Expression target, Mark mark, String path) {}

    /** A template, if there is one, and what it reads. */
    record Value(Optional<Template> template, List<Reference> references) {
        static final Value NONE = new Value(Optional.empty(), List.of());
    }
}
