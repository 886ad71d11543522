package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;

/**
 * Compiler of inline workflows, whose definition is part of the task that runs them. They read their own input and
 * nothing around them.
 */
final class InlineWorkflows {
    private final Compiling compiling;
    private final Level level;

    InlineWorkflows(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    FlowDefinition flow(SourceNode node, String path) {
        Reading reading = compiling.reading();
        Fields fields = reading.fields(node, path, "a workflow", Workflows.KEYS);
        refuse(
                fields,
                "taskDefs",
                "taskDefs is allowed only at the top level of the definition.",
                "Move it there; it also applies to inline workflows.");
        Workflows workflow = new Workflows(reading, fields);
        TaskTree tree = new TaskTree(reading);
        int nesting = compiling.nesting() + level.depth() + 1;
        List<TaskNode> tasks = tree.read(fields, nesting);
        FlowDefinition flow = workflow.flow(tasks, compiling.inside(tree, workflow, nesting));
        return new FlowDefinition("", "", flow.inputs(), flow.steps(), flow.options());
    }

    private void refuse(Fields fields, String key, String message, String remedy) {
        if (fields.find(key).filter(node -> !Reading.isEmpty(node)).isPresent()) {
            compiling.reading().problem(fields, key, message, remedy);
        }
    }
}
