package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of the module lists of flows, loops and branches. The modules of a list run one after another. */
final class Modules {
    private final Reading reading;
    private final int nesting;

    /**
     * Creates a reader for lists at one depth.
     *
     * @param nesting number of nested lists around the modules, including their own
     */
    Modules(Reading reading, int nesting) {
        this.reading = reading;
        this.nesting = nesting;
    }

    /** Reads the list of a key, which is required. */
    StepList read(Fields owner, String key, Sight first) {
        Optional<SourceNode> node = owner.find(key);
        if (node.isEmpty() && owner.isObject()) {
            reading.problem(
                    owner.mark(),
                    owner.path(),
                    "There is no \"" + key + "\" here.",
                    "Add " + key + " with a list of modules; it may be empty: [].");
        }
        return node.map(found -> read(found, owner.path(key), first)).orElse(new StepList(List.of(), Optional.empty()));
    }

    StepList read(SourceNode node, String path, Sight first) {
        if (!(node instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.mark(),
                    path,
                    "This is " + node.phrase() + " (expected: an array of modules).",
                    "Write a list of modules; it may be empty: [].");
            return new StepList(List.of(), Optional.empty());
        }
        if (nesting > FlowLimits.NESTING_MAX) {
            reading.problem(
                    node.mark(),
                    path,
                    "The modules nest deeper than the limit of " + FlowLimits.NESTING_MAX + " levels.",
                    "Take the inner modules into a flow of their own.");
            return new StepList(List.of(), Optional.empty());
        }
        return list(sequence, path, first);
    }

    private StepList list(SourceNode.Sequence sequence, String path, Sight first) {
        if (nesting > 1 && !sequence.items().isEmpty()) {
            reading.noteInnerModules();
        }
        List<Step> steps = new ArrayList<>();
        Module previous = Module.none(first);
        for (int i = 0; i < sequence.items().size(); i++) {
            SourceNode item = sequence.items().get(i);
            String place = Paths.element(path, i);
            if (!reading.countModule(item.mark(), place)) {
                break;
            }
            Optional<Module> module = new ModuleReader(reading, nesting)
                    .read(item, place, previous, i == sequence.items().size() - 1);
            if (module.isPresent()) {
                steps.addAll(module.get().steps());
                previous = module.get();
            }
        }
        return new StepList(steps, output(steps, previous, first));
    }

    /**
     * The output of a list, if it is not the result of the last step. An empty list returns the result before it; a
     * list that ends with a wait returns the result of the module before the wait.
     */
    private static Optional<Template> output(List<Step> steps, Module last, Sight first) {
        if (steps.isEmpty()) {
            return Optional.of(new Template.Whole(first.previous()));
        }
        return last.steps().size() > 1
                ? Optional.of(new Template.Whole(new Path(new Root.StepResultIfAny(last.id()))))
                : Optional.empty();
    }
}
