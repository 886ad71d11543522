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

/** Reads lists of modules: of the flow, of a loop, of a branch. They run one after the other. */
final class Modules {
    private final Reading reading;
    private final int nesting;

    /**
     * @param nesting how many lists stand around the modules, their own included
     */
    Modules(Reading reading, int nesting) {
        this.reading = reading;
        this.nesting = nesting;
    }

    /** The list of a key, which must be there. */
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

    /** The list itself. */
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

    /** An empty list passes on what came before it; a wait at the end of a list hides behind the step that it belongs to. */
    private static Optional<Template> output(List<Step> steps, Module last, Sight first) {
        if (steps.isEmpty()) {
            return Optional.of(new Template.Whole(first.previous()));
        }
        return last.steps().size() > 1
                ? Optional.of(new Template.Whole(new Path(new Root.StepResultIfAny(last.id()))))
                : Optional.empty();
    }
}
