package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.Optional;

/** Reader of {@code flow} modules. */
final class SubFlows {
    private static final List<String> KEYS = List.of("type", "path", Transforms.MANY, Transforms.OLD, Retries.KEY);

    private final Reading reading;
    private final Expressions expressions;

    SubFlows(Reading reading, Expressions expressions) {
        this.reading = reading;
        this.expressions = expressions;
    }

    StepAction read(SourceNode value, Fields module) {
        Fields fields = reading.fields(value, module.path("value"), "a flow", KEYS);
        if (!fields.has("path")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "The flow has no path.",
                    "Add path with the path of a deployed flow.");
        }
        Template input = new Transforms(reading, expressions).input(fields, module);
        Optional<String> path = fields.text("path");
        path.ifPresent(text -> reading.useFlow(
                new FlowUse(text, fields.find("path").orElseThrow().mark(), fields.path("path"))));
        return new StepAction.SubFlow(path.orElse(""), input);
    }
}
