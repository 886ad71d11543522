package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Dialect;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.Optional;

/** Dialect of Fastflow's YAML, recognized by the {@code actionName} of its tasks. */
public final class FastflowDialect implements Dialect {
    private static final String NAME = "fastflow";
    private static final List<String> KEYS = List.of("id", "name", "desc", "cron", "status", "vars", "tasks");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean recognizes(SourceNode document) {
        return member(document, "tasks")
                .filter(tasks -> tasks instanceof SourceNode.Sequence sequence
                        && sequence.items().stream()
                                .anyMatch(task -> member(task, "actionName").isPresent()))
                .isPresent();
    }

    private static Optional<SourceNode> member(SourceNode node, String key) {
        return node instanceof SourceNode.Mapping mapping
                ? mapping.entries().stream()
                        .filter(entry -> entry.key().equals(key))
                        .map(SourceNode.Entry::value)
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public Compilation compile(SourceNode document, Problems problems) {
        Fields fields = Fields.of(problems, document, "", "a flow", KEYS);
        checkUnsupported(fields, problems);
        List<InputSpec> vars = new Vars(problems).read(fields);
        Reading reading =
                new Reading(problems, vars.stream().map(InputSpec::name).toList());
        List<TaskNode> tasks = new Tasks(reading).read(fields);
        if (!problems.isEmpty()) {
            return new Compilation.Rejected(NAME, problems.inOrder(), reading.scriptPaths());
        }
        List<String> ids = tasks.stream().map(TaskNode::id).toList();
        StepList steps = new StepList(
                tasks.stream().flatMap(task -> task.steps().stream()).toList(),
                Optional.of(new Template.Whole(new SharedData(ids))));
        FlowDefinition flow = new FlowDefinition(
                fields.text("id").or(() -> fields.text("name")).orElse(""),
                fields.text("desc").or(() -> fields.text("name")).orElse(""),
                vars,
                steps,
                FlowOptions.NONE.ignoringUndeclared());
        return new Compilation.Compiled(NAME, flow, reading.scriptPaths(), List.of());
    }

    private static void checkUnsupported(Fields fields, Problems problems) {
        fields.text("cron")
                .filter(cron -> !cron.isBlank())
                .ifPresent(cron -> problems.warn(
                        fields.find("cron").orElseThrow().mark(),
                        "cron",
                        "Nothing starts the flow by itself: cron \"" + cron + "\" is kept with it, and has no effect.",
                        "Start the runs from a scheduler of your own."));
        fields.text("status")
                .filter(status -> !status.equals("normal"))
                .ifPresent(status -> problems.add(
                        fields.find("status").orElseThrow().mark(),
                        "status",
                        "The status of the flow is \"" + status + "\" (expected: normal).",
                        "Remove status. To keep a flow from running, do not deploy it."));
    }
}
