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
import org.jspecify.annotations.Nullable;

/** Lists and steps as read, with the positions that the checks report. */
final class Drafts {
    private Drafts() {}

    /** Names that the steps of a list can read in addition to those of the lists around it. */
    enum ListKind {
        /** None: the list of a flow or a branch. */
        PLAIN,
        /** {@code item} and {@code index}. */
        LOOP,
        /** As {@link #LOOP}, for a loop of one task, whose only step has the id of the loop. */
        LOOP_OF_ONE,
        /** {@code error}. */
        FAILURE
    }

    /** Names that an expression can read because of its position in the step. */
    enum Sight {
        /** {@code result}. */
        RESULT,
        /** {@code results_so_far}. */
        RESULTS,
        /** {@code error}. */
        ERROR,
        /** {@code retry}. */
        RETRY,
        /** {@code item} and {@code index} of the loop that the step is. */
        ITERATION,
        /** {@code secrets} and {@code resources}. */
        REFERENCES
    }

    /**
     * A list of steps.
     *
     * @param ending expressions evaluated at the end of the list besides its output: the conditions of the loop around
     *     it
     */
    record ListDraft(List<StepDraft> steps, Value output, ListKind kind, List<Reference> ending) {
        ListDraft(List<StepDraft> steps, Value output, ListKind kind) {
            this(steps, output, kind, List.of());
        }

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

    /** A step; {@code inner} has the lists inside a container. */
    record StepDraft(
            String id,
            Mark mark,
            String path,
            List<Need> needs,
            List<Reference> references,
            List<ListDraft> inner,
            StepAction action,
            StepPolicy policy) {
        /** Returns a step that also waits for {@code first}, unless it already needs other steps. */
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

        /** Whether the definition says that the step needs another one, rather than their order. */
        boolean hasWrittenNeed(@Nullable String other) {
            return needs.stream()
                    .anyMatch(need -> need.id().equals(other) && !need.path().equals(path));
        }

        /** The inner lists whose steps other steps can read once this step has ended. */
        List<ListDraft> branches() {
            return action.openLists().isEmpty() ? List.of() : inner;
        }
    }

    /** A step that another step needs. */
    record Need(String id, Mark mark, String path) {}

    /** An expression with its position, and the names that it can read there. */
    record Reference(Expression target, Mark mark, String path, Set<Sight> sights) {}

    /** A template, if there is one, with the expressions in it. */
    record Value(Optional<Template> template, List<Reference> references) {
        static final Value NONE = new Value(Optional.empty(), List.of());
    }
}
