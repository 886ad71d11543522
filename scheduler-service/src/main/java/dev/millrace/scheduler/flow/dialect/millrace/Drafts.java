package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Lists and steps as read, with the places that the checks report. */
final class Drafts {
    private Drafts() {}

    /** What the steps of a list see beyond the lists around it. */
    enum ListKind {
        /** Nothing: the flow itself, a branch. */
        PLAIN,
        /** {@code item} and {@code index}. */
        LOOP,
        /** As {@link #LOOP}; its only step goes by the name of the loop. */
        LOOP_OF_ONE,
        /** {@code error}. */
        FAILURE
    }

    /** What an expression sees because of where it stands in its step. */
    enum Sight {
        /** {@code result}. */
        RESULT,
        /** {@code results_so_far}. */
        RESULTS,
        /** {@code error}. */
        ERROR,
        /** {@code retry}. */
        RETRY,
        /** {@code item} and {@code index} of the loop that its step is. */
        ITERATION
    }

    /**
     * A list of steps.
     *
     * @param ending what else is read at its end: whether the loop around goes on
     */
    record ListDraft(List<StepDraft> steps, Value output, ListKind kind, List<Reference> ending) {
        ListDraft(List<StepDraft> steps, Value output, ListKind kind) {
            this(steps, output, kind, List.of());
        }

        /** A list without steps. */
        static ListDraft empty() {
            return new ListDraft(List.of(), Value.NONE, ListKind.PLAIN);
        }

        ListDraft endingWith(List<Reference> references) {
            return new ListDraft(steps, output, kind, references);
        }

        boolean single() {
            return kind == ListKind.LOOP_OF_ONE;
        }

        StepList list() {
            List<Step> built = new ArrayList<>();
            for (StepDraft step : steps) {
                built.add(new Step(
                        step.id(),
                        step.needs().stream().map(Need::id).distinct().toList(),
                        step.action(),
                        step.policy()));
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
            StepAction action,
            StepPolicy policy) {
        /** The same, but not before another step has ended. */
        StepDraft after(StepDraft first) {
            return needs.isEmpty()
                    ? new StepDraft(
                            id,
                            mark,
                            path,
                            List.of(new Need(first.id(), mark, path)),
                            references,
                            inner,
                            action,
                            policy)
                    : this;
        }

        /** The lists whose steps can be read from outside once the step has ended. */
        List<ListDraft> branches() {
            return action.openLists().isEmpty() ? List.of() : inner;
        }
    }

    /** A step that another needs. */
    record Need(String id, Mark mark, String path) {}

    /** An expression that reads something. */
    record Reference(Expression target, Mark mark, String path, Set<Sight> sights) {}

    /** A template, if there is one, and what it reads. */
    record Value(Optional<Template> template, List<Reference> references) {
        static final Value NONE = new Value(Optional.empty(), List.of());
    }
}
