package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Dialect;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Dialect of Conductor's workflow definitions, in JSON or in YAML with the same structure. */
public final class ConductorDialect implements Dialect {
    private static final String NAME = "conductor";

    @Override
    public String name() {
        return NAME;
    }

    /** Recognizes a document whose {@code tasks} have reference names. */
    @Override
    public boolean recognizes(SourceNode document) {
        return member(document, "tasks")
                .filter(SourceNode.Sequence.class::isInstance)
                .map(tasks -> ((SourceNode.Sequence) tasks).items())
                .filter(tasks -> tasks.stream()
                        .anyMatch(task -> member(task, "taskReferenceName").isPresent()))
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
        return compile(document, Set.of(), problems);
    }

    @Override
    public Compilation compile(SourceNode document, Set<String> files, Problems problems) {
        Reading reading = new Reading(problems);
        Fields fields = reading.fields(FirstSchema.rewritten(document), "", "a workflow", Workflows.KEYS);
        if (!fields.isObject()) {
            return new Compilation.Rejected(NAME, problems.inOrder(), List.of());
        }
        Workflows workflow = new Workflows(reading, fields);
        TaskDefinitions definitions = new TaskDefinitions(reading);
        definitions.read(fields);
        TaskTree tree = new TaskTree(reading);
        List<TaskNode> tasks = tree.read(fields, 1);
        Compiling compiling = new Compiling(reading, tree, definitions, workflow.name(), workflow.version(), files);
        FlowDefinition flow = workflow.flow(tasks, compiling);
        return problems.isEmpty()
                ? new Compilation.Compiled(
                                NAME, flow, compiling.scripts(), Map.of(), compiling.candidates(), compiling.flows())
                        .numbered(workflow.version())
                : new Compilation.Rejected(NAME, problems.inOrder(), compiling.scripts(), compiling.candidates());
    }
}
