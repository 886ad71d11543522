package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.core.definition.StepPolicy.Skip;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Act;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reader of {@code tasks}. */
final class Tasks {
    private static final List<String> KEYS = Stream.concat(
                    Stream.of("id", "name", "actionName", "dependOn", "params", "preCheck", "preChecks", "timeoutSecs"),
                    Actions.HOOKS.stream())
            .toList();
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    /** Suffix that turns the id of a task into the id of the wait for its approval. */
    private static final String BLOCKED = "_blocked";

    private final Reading reading;

    Tasks(Reading reading) {
        this.reading = reading;
    }

    List<TaskNode> read(Fields flow) {
        Optional<SourceNode> node = flow.find("tasks");
        List<SourceNode> items =
                node.isPresent() && node.get() instanceof SourceNode.Sequence sequence ? sequence.items() : List.of();
        if (items.isEmpty() && flow.isObject()) {
            reading.problem(
                    node.map(SourceNode::mark).orElse(flow.mark()),
                    "tasks",
                    "The flow has no list of tasks.",
                    "Write tasks: with a list, for example - {id: task1, actionName: print.py}.");
        }
        if (items.size() > FlowLimits.STEPS_MAX) {
            reading.problem(
                    items.get(FlowLimits.STEPS_MAX).mark(),
                    "tasks",
                    "The flow has more than the limit of " + FlowLimits.STEPS_MAX + " tasks.",
                    "Split the flow.");
            return List.of();
        }
        List<Fields> all = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            all.add(Fields.of(reading.problems(), items.get(i), Paths.element("tasks", i), "a task", KEYS));
        }
        reading.noteTasks(all.stream().flatMap(task -> id(task).stream()).toList());
        List<TaskNode> tasks = new ArrayList<>();
        for (Fields fields : all) {
            task(fields).ifPresent(tasks::add);
        }
        new TaskGraph(reading, tasks).check();
        return tasks;
    }

    private static Optional<String> id(Fields fields) {
        return fields.find("id")
                .filter(node -> node instanceof SourceNode.Text text
                        && ID.matcher(text.text()).matches())
                .map(node -> ((SourceNode.Text) node).text());
    }

    private Optional<TaskNode> task(Fields fields) {
        Optional<String> id = id(fields);
        if (id.isEmpty() && fields.isObject()) {
            reading.problem(
                    fields.find("id").map(SourceNode::mark).orElse(fields.mark()),
                    fields.path("id"),
                    "The task has no usable id.",
                    "Give it an id of at most 100 letters, digits, _ and -.");
        }
        List<String> needs = Texts.list(reading, fields, "dependOn", "the ids of tasks");
        List<PreCheck> checks = new PreChecks(reading).read(fields);
        Optional<StepAction> action = new Actions(reading).read(fields);
        SourceNode.Mark needsMark =
                fields.find("dependOn").map(SourceNode::mark).orElse(fields.mark());
        return id.map(name -> new TaskNode(
                name,
                fields.mark(),
                fields.path(),
                needs,
                needsMark,
                action.map(what -> steps(name, needs, checks, what)).orElse(List.of())));
    }

    /** Makes the step of the task and, if a check may block it, a preceding wait for an approval. */
    private List<Step> steps(String id, List<String> needs, List<PreCheck> checks, StepAction action) {
        Step task = new Step(
                id, needs, action, policy(new Omission(needs, checks, Act.SKIP, true, reading.sharedData()), needs));
        if (checks.stream().noneMatch(check -> check.act() == Act.BLOCK)) {
            return List.of(task);
        }
        StepAction wait = new StepAction.Wait(new WaitFor.Events(
                EventKind.APPROVAL,
                text(id),
                1,
                Template.object(Map.of("title", text("Task " + id + " is blocked"))),
                Optional.empty(),
                WaitEnd.FAIL,
                WaitEnd.FAIL));
        Step blocked = new Step(
                id + BLOCKED,
                needs,
                wait,
                policy(new Omission(needs, checks, Act.BLOCK, false, reading.sharedData()), needs));
        List<String> behind = List.of(blocked.id());
        return List.of(
                blocked,
                new Step(
                        id,
                        behind,
                        action,
                        policy(new Omission(behind, checks, Act.SKIP, true, reading.sharedData()), behind)));
    }

    private static Template text(String text) {
        return new Template.Constant(JsonValue.ofString(text));
    }

    /** Makes a policy with which steps that do not depend on a failed task continue, and the run fails at its end. */
    private static StepPolicy policy(Omission omission, List<String> needs) {
        Optional<Skip> skip = omission.never()
                ? Optional.empty()
                : Optional.of(new Skip(
                        new Template.Whole(omission),
                        needs.isEmpty() ? Template.Constant.NULL : new Template.Whole(new FailedNeed(needs))));
        return StepPolicy.NONE
                .change()
                .skip(skip)
                .onFailure(OnFailure.FAIL_AT_END)
                .build();
    }
}
