package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Need;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reader of one step. */
final class Steps {
    private static final List<String> OWN_KEYS = List.of("id", "needs");
    /** Keys that select the action of a step, besides the targets of a task. */
    private static final List<String> ACTIONS = List.of(
            "for_each",
            "while",
            "switch",
            "parallel",
            "flow",
            "start",
            "value",
            "publish",
            "set",
            "terminate",
            "wait",
            Polls.KEY);

    /** Key that makes a step a block, unless another action has the steps inside. */
    private static final String BLOCK = "steps";

    /** Keys of a loop whose body is a sub-flow. */
    private static final List<String> LOOP_OF_FLOWS = List.of("for_each", "flow");

    private static final List<String> CONTAINERS = List.of("for_each", "while", "switch", "parallel", "flow", BLOCK);
    private static final List<String> WHILE_KEYS = List.of("check", "max_iterations");
    private static final List<String> KEYS = Stream.of(
                    OWN_KEYS,
                    TaskFields.TARGETS,
                    List.of("input", ServerActions.AS, ServerActions.RUN_ID_AS),
                    Policies.RETRY_KEYS,
                    TaskFields.OWN_KEYS,
                    Hooks.KEYS,
                    ACTIONS,
                    List.of("parallelism"),
                    WHILE_KEYS,
                    Polls.KEYS,
                    Loops.KEYS,
                    Policies.KEYS,
                    List.of(Policies.SAME_WORKER))
            .flatMap(List::stream)
            .toList();
    static final Pattern ID = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,99}");

    private final Reading reading;
    private final int nesting;

    Steps(Reading reading, int nesting) {
        this.reading = reading;
        this.nesting = nesting;
    }

    /** Reads a step, even one with problems; empty if it has no usable id. */
    Optional<StepDraft> read(SourceNode node, String path, Optional<StepDraft> previous) {
        Fields fields = Fields.of(reading.problems(), node, path, "a step", KEYS);
        Optional<String> id = node instanceof SourceNode.Mapping ? id(fields) : Optional.empty();
        List<Need> needs = needs(fields, previous);
        return id.map(name -> step(fields, name, needs));
    }

    private StepDraft step(Fields fields, String id, List<Need> needs) {
        StepParts parts = new StepParts(reading, nesting);
        String kind = kind(fields, id);
        refuseOthers(fields, kind);
        StepAction action = action(parts, fields, id, kind);
        StepPolicy policy = policy(new Policies(parts), fields, kind);
        return new StepDraft(
                id, fields.mark(), fields.path(), needs, parts.references(), parts.inner(), action, policy);
    }

    /** The key that selects the action of the step; {@code task} for all keys that name code. */
    private String kind(Fields fields, String id) {
        List<String> given = ACTIONS.stream().filter(fields::has).toList();
        if (given.isEmpty() && !TaskFields.isTask(fields) && fields.has(BLOCK)) {
            return BLOCK;
        }
        if (given.isEmpty() && !TaskFields.isTask(fields)) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "Step \"" + id + "\" does nothing.",
                    "Give it one of script, handler, " + String.join(", ", ACTIONS) + ", " + BLOCK + ".");
            return "value";
        }
        if (given.size() > 1 && !given.equals(LOOP_OF_FLOWS)) {
            fields.refuse(
                    given.subList(1, given.size()),
                    "cannot be combined with \"" + given.getFirst() + "\".",
                    "Give each a step of its own.");
        }
        return given.isEmpty() ? "task" : given.getFirst();
    }

    /** Reports the keys that do not apply to this kind of step. */
    private static void refuseOthers(Fields fields, String kind) {
        boolean task = kind.equals("task");
        boolean poll = kind.equals(Polls.KEY);
        boolean loop = kind.equals("for_each") || kind.equals("while");
        boolean loopOfOne = kind.equals("for_each") && TaskFields.isTask(fields);
        if (!task && !loopOfOne) {
            fields.refuse(
                    Stream.of(
                                    TaskFields.TARGETS,
                                    poll ? Polls.REFUSED : TaskFields.OWN_KEYS,
                                    CONTAINERS.contains(kind) ? List.<String>of() : Hooks.KEYS)
                            .flatMap(List::stream)
                            .toList(),
                    "does not apply to a step with \"" + kind + "\".",
                    CONTAINERS.contains(kind) && !kind.equals("flow")
                            ? "Move it into a step inside."
                            : "Remove it, or make two steps of it.");
            fields.refuse(
                    kind.equals("flow") || Loops.isOfFlows(fields) ? List.of() : List.of("input"),
                    "does not apply to a step with \"" + kind + "\".",
                    kind.equals("start") || poll
                            ? "Move it into " + kind + "."
                            : "Move it into the step that takes it.");
        }
        if (loopOfOne) {
            fields.refuse(
                    List.of(TaskFields.DELETE),
                    "does not apply to a loop, which keeps its items and results.",
                    "Move the task into steps of the loop, with an output of the loop that may be kept.");
        }
        if (!poll) {
            fields.refuse(Polls.KEYS, "needs \"" + Polls.KEY + "\".", "Add " + Polls.KEY + ", or remove it.");
        }
        if (!task && !poll && !CONTAINERS.contains(kind)) {
            fields.refuse(
                    Policies.RETRY_KEYS,
                    "does not apply to a step with \"" + kind + "\".",
                    kind.equals("wait") ? "A wait takes timeout inside." : "Remove it.");
        }
        if (!CONTAINERS.contains(kind)) {
            fields.refuse(
                    List.of(Policies.SAME_WORKER),
                    "needs steps inside.",
                    "Give it to the flow, or to a step with " + String.join(", ", CONTAINERS) + ".");
        }
        if (!kind.equals("flow") && !Loops.isOfFlows(fields)) {
            fields.refuse(
                    List.of(ServerActions.AS, ServerActions.RUN_ID_AS), "needs \"flow\".", "Add flow, or remove it.");
        }
        if (!loop) {
            fields.refuse(
                    kind.equals(BLOCK) ? Loops.OWN_KEYS : Loops.KEYS,
                    "needs \"for_each\" or \"while\".",
                    "Add one of them, or remove it.");
        }
        if (!kind.equals("for_each")) {
            fields.refuse(
                    List.of("parallelism"),
                    "needs \"for_each\".",
                    kind.equals("parallel") ? "Move it into parallel." : "Add for_each, or remove it.");
        }
        if (!kind.equals("while")) {
            fields.refuse(WHILE_KEYS, "needs \"while\".", "Add while, or remove it.");
        }
    }

    private static StepAction action(StepParts parts, Fields fields, String id, String kind) {
        Hooks hooks = new Hooks(parts);
        if (kind.equals("task")) {
            return hooks.around(new TaskFields(parts).read(fields), fields);
        }
        return CONTAINERS.contains(kind) && !TaskFields.isTask(fields) && Hooks.areGiven(fields)
                ? hooks.around(withoutHooks(parts.betweenHooks(), fields, id, kind), fields)
                : withoutHooks(parts, fields, id, kind);
    }

    private static StepAction withoutHooks(StepParts parts, Fields fields, String id, String kind) {
        ServerActions plain = new ServerActions(parts);
        return switch (kind) {
            case "for_each" -> new Loops(parts).forEach(fields, id);
            case "while" -> new Loops(parts).repeat(fields);
            case "switch" -> new Switches(parts).read(fields);
            case "parallel" -> new Parallels(parts).read(fields);
            case "flow" -> plain.subFlow(fields);
            case BLOCK -> new Switches(parts).block(fields);
            case "start" -> plain.start(fields);
            case "publish" -> plain.publish(fields);
            case "set" -> plain.set(fields);
            case "terminate" -> plain.terminate(fields);
            case "wait" -> new Waits(parts).read(fields);
            case Polls.KEY -> new Polls(parts).read(fields);
            default -> plain.value(fields);
        };
    }

    private static StepPolicy policy(Policies policies, Fields fields, String kind) {
        if (kind.equals("task")) {
            return policies.ofTask(fields);
        }
        if (kind.equals(Polls.KEY)) {
            return policies.ofOther(fields).within(Polls.timeout(fields));
        }
        return CONTAINERS.contains(kind) && !TaskFields.isTask(fields)
                ? policies.ofContainer(fields)
                : policies.ofOther(fields);
    }

    private Optional<String> id(Fields fields) {
        if (!fields.has("id")) {
            reading.problem(fields.mark(), fields.path(), "The step has no id.", "Add id, for example id: split.");
            return Optional.empty();
        }
        Optional<String> id = fields.text("id");
        if (id.isPresent() && !ID.matcher(id.get()).matches()) {
            reading.problem(
                    fields.find("id").orElseThrow().mark(),
                    fields.path("id"),
                    "\"" + id.get() + "\" is not an id.",
                    "Use at most 100 letters, digits, _ and -, and begin with a letter or _.");
            return Optional.empty();
        }
        return id;
    }

    private List<Need> needs(Fields fields, Optional<StepDraft> previous) {
        Optional<SourceNode> node = fields.find("needs");
        if (node.isEmpty()) {
            return previous.map(step -> List.of(new Need(step.id(), fields.mark(), fields.path())))
                    .orElse(List.of());
        }
        if (!(node.get() instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.get().mark(),
                    fields.path("needs"),
                    "needs is " + node.get().phrase() + " (expected: an array of step ids).",
                    "Write for example needs: [split].");
            return List.of();
        }
        List<Need> needs = new ArrayList<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            String path = Paths.element(fields.path("needs"), i);
            SourceNode item = sequence.items().get(i);
            if (item instanceof SourceNode.Text text) {
                needs.add(new Need(text.text(), text.mark(), path));
            } else {
                reading.problem(
                        item.mark(),
                        path,
                        "This is " + item.phrase() + " (expected: a step id).",
                        "Write the id of a step.");
            }
        }
        return needs;
    }
}
