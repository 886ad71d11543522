package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of {@code steps} and {@code output} of a flow, a loop or a branch. */
final class StepLists {
    private final Reading reading;

    StepLists(Reading reading) {
        this.reading = reading;
    }

    /**
     * Reads the list in {@code steps}.
     *
     * @param kind which names the steps can read
     * @param nesting number of nested lists around the steps, including their own
     */
    ListDraft read(Fields owner, ListKind kind, int nesting) {
        return read(owner, kind, nesting, Optional.empty());
    }

    /** Reads a list as {@link #read(Fields, ListKind, int)} does, with a step before all others. */
    ListDraft read(Fields owner, ListKind kind, int nesting, Optional<StepDraft> first) {
        Value output = Values.read(reading, owner, "output");
        Optional<SourceNode> node = owner.find("steps");
        if (node.isEmpty() && owner.isObject()) {
            reading.problem(
                    owner.mark(),
                    owner.path(),
                    "There are no steps here.",
                    "Add steps: with a list of steps; it may be empty: [].");
        }
        List<StepDraft> steps = node.map(found -> steps(found, owner.path("steps"), nesting, first))
                .orElse(List.of());
        return new ListDraft(steps, output, kind);
    }

    private List<StepDraft> steps(SourceNode node, String path, int nesting, Optional<StepDraft> first) {
        List<StepDraft> steps = new ArrayList<>(first.stream().toList());
        if (nesting > FlowLimits.NESTING_MAX) {
            reading.problem(
                    node.mark(),
                    path,
                    "The steps nest deeper than the limit of " + FlowLimits.NESTING_MAX + " levels.",
                    "Take the inner steps into a script or a flow of their own.");
        } else if (node instanceof SourceNode.Sequence sequence) {
            readAll(sequence, path, nesting, steps, first);
        } else {
            reading.problem(
                    node.mark(),
                    path,
                    "steps is " + node.phrase() + " (expected: an array).",
                    "Begin each step with a dash: - id: …");
        }
        return steps;
    }

    private void readAll(
            SourceNode.Sequence sequence, String path, int nesting, List<StepDraft> steps, Optional<StepDraft> first) {
        for (int i = 0; i < sequence.items().size(); i++) {
            SourceNode item = sequence.items().get(i);
            String place = Paths.element(path, i);
            if (!reading.countStep(item.mark(), place)) {
                return;
            }
            Optional<StepDraft> previous = steps.isEmpty() ? Optional.empty() : Optional.of(steps.getLast());
            new Steps(reading, nesting)
                    .read(item, place, previous)
                    .map(step -> first.map(step::after).orElse(step))
                    .ifPresent(steps::add);
        }
    }
}
