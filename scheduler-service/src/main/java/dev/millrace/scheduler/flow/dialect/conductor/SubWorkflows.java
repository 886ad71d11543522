package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import java.util.List;
import java.util.Optional;

/** Compiler of tasks that run other workflows. */
final class SubWorkflows {
    /** Key that selects the workflow of a SUB_WORKFLOW task. */
    static final String PARAM = "subWorkflowParam";

    static final String DEFINITION = "workflowDefinition";
    private static final List<String> SUB_KEYS =
            List.of("name", "version", "taskToDomain", DEFINITION, "idempotencyKey", "idempotencyStrategy", "priority");
    private static final List<String> START_KEYS = List.of(
            "name",
            "version",
            "input",
            "correlationId",
            "taskToDomain",
            "priority",
            "idempotencyKey",
            "idempotencyStrategy");
    private static final List<String> UNSUPPORTED = List.of("taskToDomain", "idempotencyKey");

    /** Parameter that selects the workflow of a START_WORKFLOW task. */
    static final String START = "startWorkflow";

    private static final String VERSION = "version";

    private final Compiling compiling;
    private final Level level;

    SubWorkflows(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    StepAction action(TaskNode task) {
        return task.type() == TaskType.SUB_WORKFLOW ? sub(task) : start(task);
    }

    private StepAction sub(TaskNode task) {
        Template input =
                compiling.params(task, compiling.references(task, level)).template();
        Optional<SourceNode> node = task.fields().find(PARAM);
        String path = task.fields().path(PARAM);
        if (node.isEmpty()) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            path,
                            "Task \"" + task.reference() + "\" has no subWorkflowParam.",
                            "Add it, for example \"subWorkflowParam\": {\"name\": \"report\"}.");
            return new StepAction.SubFlow("", input);
        }
        Fields fields = compiling.reading().fields(node.get(), path, PARAM, SUB_KEYS);
        Optional<SourceNode> definition = fields.find(DEFINITION).filter(found -> !Reading.isEmpty(found));
        if (definition.isPresent()) {
            refuseUnsupported(fields);
            return inline(definition.get(), fields.path(DEFINITION), input);
        }
        Optional<Template> computed = computedPath(task, fields);
        if (computed.isPresent()) {
            return new StepAction.ChildRun(computed.get(), input, Optional.of(SubWorkflowOutput.ID));
        }
        return compiling.subFlow(
                path(fields),
                input,
                fields.find("name").map(SourceNode::mark).orElse(fields.mark()),
                fields.path("name"));
    }

    private StepAction inline(SourceNode definition, String path, Template input) {
        if (definition instanceof SourceNode.Text) {
            compiling
                    .reading()
                    .problem(
                            definition.mark(),
                            path,
                            "The definition of a sub-workflow cannot be computed at run time.",
                            "Write its definition here as an object, or deploy it and name it.");
            return new StepAction.SubFlow("", input);
        }
        return new StepAction.InlineFlow(new InlineWorkflows(compiling, level).flow(definition, path), input);
    }

    private StepAction start(TaskNode task) {
        Optional<SourceNode> node = task.fields()
                .find("inputParameters")
                .filter(SourceNode.Mapping.class::isInstance)
                .flatMap(mapping -> ((SourceNode.Mapping) mapping)
                        .entries().stream()
                                .filter(entry -> entry.key().equals(START))
                                .map(SourceNode.Entry::value)
                                .findFirst());
        String path = task.fields().path("inputParameters") + "." + START;
        Optional<Template> given =
                compiling.params(task, compiling.references(task, level)).find(START);
        if (given.isPresent() && isComputed(node)) {
            Expression start = Params.expression(given.get());
            return new StepAction.StartRun(
                    new Template.Whole(new StartRequest(start, StartRequest.Part.FLOW)),
                    new Template.Whole(new StartRequest(start, StartRequest.Part.INPUT)));
        }
        if (node.isEmpty()) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            path,
                            "Task \"" + task.reference() + "\" does not say what it starts.",
                            "Add startWorkflow to inputParameters, for example {\"name\": \"report\", \"input\": {}}.");
            return new StepAction.StartRun(Template.Constant.NULL, Template.Constant.EMPTY_OBJECT);
        }
        Fields fields = compiling.reading().fields(node.get(), path, START, START_KEYS);
        fields.ignore(
                List.of("correlationId"),
                "has no effect: runs have no correlationId here, and ${workflow.correlationId} is null.",
                "Give it to the workflow with its input.");
        Template input = fields.find("input")
                .map(value -> new Values(compiling.reading(), compiling.references(task, level))
                        .template(value, fields.path("input")))
                .orElse(Template.Constant.EMPTY_OBJECT);
        return new StepAction.StartRun(
                computedPath(task, fields).orElseGet(() -> new Template.Constant(JsonValue.ofString(path(fields)))),
                input);
    }

    /** Whether an object is known only at run time, or comes from the {@code inputTemplate} of the task definition. */
    private static boolean isComputed(Optional<SourceNode> node) {
        return node.isEmpty()
                || (node.get() instanceof SourceNode.Text text && text.text().contains("${"));
    }

    /** Path of the workflow to run, if its name or version contains expressions. */
    private Optional<Template> computedPath(TaskNode task, Fields fields) {
        if (!isComputed(fields, "name") && !isComputed(fields, VERSION)) {
            return Optional.empty();
        }
        refuseUnsupported(fields);
        return Optional.of(new Template.Whole(new FlowPath(value(task, fields, "name"), value(task, fields, VERSION))));
    }

    private static boolean isComputed(Fields fields, String key) {
        return fields.find(key)
                .filter(node ->
                        node instanceof SourceNode.Text text && text.text().contains("${"))
                .isPresent();
    }

    private Expression value(TaskNode task, Fields fields, String key) {
        return fields.find(key)
                .map(node -> new Values(compiling.reading(), compiling.references(task, level))
                        .template(node, fields.path(key)))
                .map(Params::expression)
                .orElseGet(() -> Composed.constant(JsonValue.NULL));
    }

    /** Path of the workflow, including the version if one is given. */
    private String path(Fields fields) {
        return WorkflowNames.path(
                name(fields), fields.whole(VERSION, 0, Workflows.VERSION_MAX).orElse(0));
    }

    private void refuseUnsupported(Fields fields) {
        fields.ignore(
                List.of("priority"),
                "has no effect here: tasks begin in the order of the priority of their run.",
                "Remove it, or leave it for Conductor.");
        for (String key : UNSUPPORTED) {
            fields.find(key)
                    .filter(node -> !Reading.isEmpty(node))
                    .ifPresent(node -> compiling
                            .reading()
                            .problem(
                                    node.mark(),
                                    fields.path(key),
                                    "\"" + key + "\" is not supported here.",
                                    "Remove it."));
        }
    }

    private String name(Fields fields) {
        refuseUnsupported(fields);
        Optional<String> name = fields.text("name");
        if (name.filter(text -> !text.isBlank()).isEmpty()) {
            if (!fields.has("name") || name.isPresent()) {
                compiling
                        .reading()
                        .problem(fields, "name", "The workflow to run has no name.", "Name a deployed workflow.");
            }
        }
        return name.orElse("");
    }
}
