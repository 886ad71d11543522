package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.queue.core.EndStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reader of actions with a single key that need no worker: {@code flow}, {@code start}, {@code value}, {@code set} and
 * {@code terminate}.
 */
final class ServerActions {
    private static final List<String> FLOW_KEYS = List.of(
            "inputs",
            FlowFields.OPEN_INPUTS,
            FlowFields.IGNORE_UNDECLARED,
            "variables",
            FlowFields.ENV,
            "timeout",
            Policies.SAME_WORKER,
            "steps",
            "output",
            "on_failure",
            "failure_flow");
    /** Key that selects how a flow runs; if absent, it runs as part of this run. */
    static final String AS = "as";

    static final String RUN_ID_AS = "run_id_as";

    private static final String RUN = "run";
    private static final List<String> START_KEYS = List.of("flow", "input");
    private static final List<String> PUBLISH_KEYS = List.of("event", "message");
    private static final List<String> TERMINATE_KEYS = List.of("status", "output", "reason");
    private static final List<String> STATUSES = List.of("succeeded", "failed", "canceled");
    private static final String INPUT_REMEDY = "Write one key for each input of the flow.";

    private final StepParts parts;

    ServerActions(StepParts parts) {
        this.parts = parts;
    }

    /** Reads a deployed flow, which becomes part of the run or a child run, or a flow defined in the step. */
    StepAction subFlow(Fields fields) {
        if (Words.read(parts.reading(), fields, AS, List.of(RUN), "").equals(RUN)) {
            return childRun(fields, fields.find("flow").orElseThrow());
        }
        if (fields.find("flow").orElseThrow() instanceof SourceNode.Mapping) {
            FlowDefinition flow =
                    parts.reading().in(parts.reading().language().withOwnInputs(), () -> inlineFlow(fields));
            return new StepAction.InlineFlow(flow, input(fields));
        }
        Optional<String> path = fields.text("flow");
        if (path.isPresent()) {
            use(new FlowUse(path.get(), fields.find("flow").orElseThrow().mark(), fields.path("flow")));
        }
        return new StepAction.SubFlow(path.orElse(""), input(fields), fields.text(RUN_ID_AS));
    }

    private StepAction childRun(Fields fields, SourceNode flow) {
        fields.refuse(
                List.of(Policies.SAME_WORKER),
                "does not apply to a child run.",
                "Set it in the flow of the child run.");
        if (flow instanceof SourceNode.Mapping) {
            parts.reading()
                    .problem(
                            flow.mark(),
                            fields.path("flow"),
                            "A flow that is defined in the step is part of this run.",
                            "Remove as, or deploy the flow and name its path.");
            return new StepAction.ChildRun(Template.Constant.NULL, input(fields));
        }
        Template path = parts.template(fields, "flow").orElse(Template.Constant.NULL);
        if (path instanceof Template.Constant(JsonValue fixed)
                && !(fixed.kind() == JsonValue.Kind.STRING && FlowFields.isPath(fixed.string()))) {
            parts.reading()
                    .problem(
                            flow.mark(),
                            fields.path("flow"),
                            fixed + " is not the name of a flow.",
                            "Write the path of a flow, or an expression whose value is one.");
        }
        return new StepAction.ChildRun(path, input(fields), fields.text(RUN_ID_AS));
    }

    private Template input(Fields fields) {
        return parts.object(fields, "input", INPUT_REMEDY).orElse(Template.Constant.EMPTY_OBJECT);
    }

    private FlowDefinition inlineFlow(Fields step) {
        Fields fields = parts.object(step, "flow", "a flow inside a step", FLOW_KEYS);
        List<InputSpec> inputs = new Inputs(parts.reading()).read(fields);
        FlowFields own = new FlowFields(parts.reading());
        ListDraft steps = parts.read(fields, ListKind.PLAIN);
        Optional<FlowFields.Handler> onFailure = FlowFields.onFailure(parts, fields);
        FlowOptions options = own.read(fields, steps, onFailure);
        new FlowCheck(parts.reading(), inputs, options)
                .check(steps, onFailure.map(FlowFields.Handler::steps), own.references());
        return new FlowDefinition("", "", inputs, steps.list(), options);
    }

    private void use(FlowUse flow) {
        parts.reading().useFlow(flow);
        if (!FlowFields.isPath(flow.path())) {
            parts.reading()
                    .problem(
                            flow.mark(),
                            flow.place(),
                            "\"" + flow.path() + "\" is not the name of a flow.",
                            "Write the path of a deployed flow; it may be an expression only with as: run.");
        }
    }

    StepAction.StartRun start(Fields step) {
        Fields fields = parts.object(step, "start", "start", START_KEYS);
        parts.require(fields, "flow", "start does not say which flow.", "Add flow, the path of a deployed flow.");
        return new StepAction.StartRun(parts.template(fields, "flow").orElse(Template.Constant.NULL), input(fields));
    }

    StepAction.Compute value(Fields fields) {
        return new StepAction.Compute(parts.template(fields, "value").orElse(Template.Constant.NULL));
    }

    StepAction.Publish publish(Fields step) {
        Fields fields = parts.object(step, "publish", "publish", PUBLISH_KEYS);
        parts.require(
                fields,
                "event",
                "publish does not say which event.",
                "Add event, the name that handlers of the event listen for.");
        return new StepAction.Publish(
                parts.template(fields, "event").orElse(Template.Constant.NULL),
                parts.template(fields, "message").orElse(Template.Constant.EMPTY_OBJECT));
    }

    StepAction.SetVariables set(Fields fields) {
        return new StepAction.SetVariables(
                parts.object(fields, "set", "Write one key for each variable.").orElse(Template.Constant.EMPTY_OBJECT));
    }

    StepAction.Terminate terminate(Fields step) {
        Fields fields = parts.object(step, "terminate", "terminate", TERMINATE_KEYS);
        parts.require(
                fields,
                "status",
                "terminate does not say how the run ends.",
                "Add status: succeeded, failed or canceled.");
        EndStatus status = EndStatus.valueOf(Words.read(parts.reading(), fields, "status", STATUSES, "succeeded")
                .toUpperCase(Locale.ROOT));
        if (status == EndStatus.SUCCEEDED) {
            fields.refuse(List.of("reason"), "does not apply to a success.", "Use output.");
        } else {
            fields.refuse(List.of("output"), "applies only to a success.", "Use reason.");
        }
        return new StepAction.Terminate(
                status,
                parts.template(fields, "output").orElse(Template.Constant.NULL),
                parts.template(fields, "reason").orElse(Template.Constant.NULL));
    }
}
