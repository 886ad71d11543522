package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.Place;
import dev.millrace.scheduler.flow.dialect.openflow.StepIndex.StepsAt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reader of the modules of a flow and what precedes them: {@code skip_expr} and {@code preprocessor_module}. */
final class Beginning {
    private static final String SKIP_ID = "skip_expr";
    private static final Template STOPPED = new Template.Constant(JsonValue.ofString("stopped early"));

    private final Reading reading;
    private final Fields value;

    Beginning(Reading reading, Fields value) {
        this.reading = reading;
        this.value = value;
    }

    StepList read(String modules, StepsAt list) {
        Sight sight = Sight.start(new Place(list, 0), new Path(new Root.Inputs()));
        List<Step> first = new ArrayList<>();
        Optional<Module> preprocessor = value.find("preprocessor_module")
                .flatMap(node -> new ModuleReader(reading, 1)
                        .read(node, value.path("preprocessor_module"), Module.none(sight), false));
        preprocessor.ifPresent(module -> first.addAll(module.steps()));
        Sight after = preprocessor
                .map(module -> module.next().replaceFlowInput(new Path(new Root.StepResultIfAny(module.id()))))
                .orElse(sight);
        Optional<Step> skip = skip(after, first);
        skip.ifPresent(first::add);
        StepList rest = new Modules(reading, 1)
                .read(value, modules, skip.isPresent() ? after.next(after.previous(), Optional.empty()) : after);
        return first.isEmpty() ? rest : joined(first, rest);
    }

    /** Makes a step that can end the flow before its first module, with the text that Windmill has as result then. */
    private Optional<Step> skip(Sight sight, List<Step> before) {
        Expressions expressions = new Expressions(reading, sight, SKIP_ID);
        return expressions
                .find(value, SKIP_ID, expressions.before())
                .filter(_ -> reading.steps().add(SKIP_ID, sight.place()))
                .map(when -> new Step(
                        SKIP_ID,
                        before.stream().map(Step::id).toList(),
                        new StepAction.Compute(STOPPED),
                        StepPolicy.NONE
                                .change()
                                .stops(List.of(new StepPolicy.Stop(when, Optional.empty(), StepPolicy.Extent.LIST)))
                                .build()));
    }

    private static StepList joined(List<Step> first, StepList rest) {
        List<Step> all = new ArrayList<>(first);
        for (Step step : rest.steps()) {
            all.add(
                    step.needs().isEmpty()
                            ? new Step(step.id(), List.of(first.getLast().id()), step.action(), step.policy())
                            : step);
        }
        return new StepList(all, rest.output());
    }
}
