package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.conductor.TaskNode.TaskList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reader of the task tree of a definition, before compilation: all tasks, and the containers around each. */
final class TaskTree {
    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9_-]{1,100}");
    /** What may be the name of a task in one iteration, or in one of several nested loops. */
    private static final Pattern NUMBERED = Pattern.compile("(.+)__[1-9][0-9]*");

    private static final List<String> KEYS = TaskType.allKeys();

    private final Reading reading;
    private final Map<String, Place> places = new HashMap<>();
    private final List<Place> dynamicForks = new ArrayList<>();
    private boolean sound = true;
    private TimeNotes timeNotes = new TimeNotes(Set.of(), Set.of());

    TaskTree(Reading reading) {
        this.reading = reading;
    }

    /**
     * A task and its position.
     *
     * @param containers the loops and switches around it, from the outside in
     */
    record Place(TaskNode task, List<TaskNode> containers) {}

    /**
     * Reads the tasks of the workflow.
     *
     * @param nesting number of nested lists around the tasks, including their own
     */
    List<TaskNode> read(Fields workflow, int nesting) {
        timeNotes = TimeNotes.of(workflow);
        if (!workflow.has("tasks")) {
            reading.problem(
                    workflow.mark(),
                    workflow.path("tasks"),
                    "The workflow has no tasks.",
                    "Add tasks with a list of at least one task.");
            return List.of();
        }
        List<TaskNode> tasks = list(workflow.find("tasks").orElseThrow(), workflow.path("tasks"), nesting);
        note(tasks, List.of());
        places.values().forEach(this::refuseNameOfIteration);
        return tasks;
    }

    /** Whether all reference names are unique. */
    boolean isSound() {
        return sound;
    }

    Optional<Place> find(String reference) {
        return Optional.ofNullable(places.get(reference));
    }

    /** The tasks whose times are read. */
    TimeNotes timeNotes() {
        return timeNotes;
    }

    /** The FORK_JOIN_DYNAMIC tasks, in the order of the definition. */
    List<Place> dynamicForks() {
        return Collections.unmodifiableList(dynamicForks);
    }

    Iterable<String> references() {
        return places.keySet().stream().sorted().toList();
    }

    /** Names of the tasks that run as the script or handler with the same name. */
    Set<String> workerTasks() {
        return places.values().stream()
                .map(Place::task)
                .filter(task -> task.type() == TaskType.SIMPLE || task.type() == TaskType.USER_DEFINED)
                .map(TaskNode::workerName)
                .collect(Collectors.toSet());
    }

    private void note(List<TaskNode> tasks, List<TaskNode> containers) {
        for (TaskNode task : tasks) {
            Place place = new Place(task, containers);
            if (task.type() == TaskType.FORK_JOIN_DYNAMIC) {
                dynamicForks.add(place);
            }
            if (places.putIfAbsent(task.reference(), place) != null) {
                sound = false;
                reading.problem(
                        task.fields(),
                        "taskReferenceName",
                        "The taskReferenceName \"" + task.reference() + "\" is taken by another task.",
                        "Give one of the two another name; it must be unique in the workflow.");
            }
            List<TaskNode> inner = new ArrayList<>(containers);
            if (task.isContainer()) {
                inner.add(task);
            }
            task.lists().forEach(list -> note(list.tasks(), List.copyOf(inner)));
        }
    }

    private List<TaskNode> list(SourceNode node, String path, int nesting) {
        List<TaskNode> tasks = new ArrayList<>();
        if (!(node instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    node.mark(), path, "This is " + node.phrase() + " (expected: an array of tasks).", "Write a list.");
        } else if (nesting > FlowLimits.NESTING_MAX) {
            reading.problem(
                    node.mark(),
                    path,
                    "The tasks nest deeper than the limit of " + FlowLimits.NESTING_MAX + " levels.",
                    "Take the inner tasks into a workflow of their own.");
        } else {
            for (int i = 0; i < sequence.items().size(); i++) {
                SourceNode item = sequence.items().get(i);
                String place = Paths.element(path, i);
                if (!reading.countTask(item.mark(), place)) {
                    break;
                }
                task(item, place, nesting).ifPresent(tasks::add);
            }
        }
        return tasks;
    }

    private Optional<TaskNode> task(SourceNode node, String path, int nesting) {
        Fields fields = reading.fields(node, path, "a task", KEYS);
        if (!fields.isObject()) {
            return Optional.empty();
        }
        Optional<String> reference = reference(fields);
        Optional<TaskType> type = type(fields);
        if (reference.isEmpty() || type.isEmpty()) {
            return Optional.empty();
        }
        ignoreForeignKeys(fields, type.get());
        String name = fields.text("name").filter(text -> !text.isBlank()).orElse(reference.get());
        List<TaskList> lists = lists(fields, type.get(), nesting);
        return Optional.of(new TaskNode(reference.get(), name, type.get(), fields.mark(), path, fields, lists));
    }

    private Optional<String> reference(Fields fields) {
        if (!fields.has("taskReferenceName")) {
            reading.problem(
                    fields.mark(),
                    fields.path(),
                    "The task has no taskReferenceName.",
                    "Add taskReferenceName, a name that no other task of the workflow has.");
            return Optional.empty();
        }
        Optional<String> reference = fields.text("taskReferenceName");
        if (reference.isPresent() && !REFERENCE.matcher(reference.get()).matches()) {
            reading.problem(
                    fields,
                    "taskReferenceName",
                    "\"" + reference.get() + "\" cannot be the key of a step.",
                    "Use at most 100 letters, digits, _ and -.");
            return Optional.empty();
        }
        return reference;
    }

    private Optional<TaskType> type(Fields fields) {
        if (!fields.has("type")) {
            return Optional.of(TaskType.SIMPLE);
        }
        Optional<String> word = fields.text("type").filter(text -> isType(fields, text));
        return word.map(text -> TaskType.find(text).orElse(TaskType.USER_DEFINED));
    }

    /** Whether a word may be a type. An unknown word is the type of tasks that a worker handles. */
    private boolean isType(Fields fields, String word) {
        if (!isTypeOfWorkers(word)) {
            reading.problem(
                    fields,
                    "type",
                    "\"" + word + "\" cannot be a type of task.",
                    "Known types: " + String.join(", ", TaskType.words())
                            + "; any other type is for your workers, at most 100 letters, digits, _ and -.");
            return false;
        }
        if (TaskType.find(word).isEmpty()) {
            reading.warn(
                    fields,
                    "type",
                    "The type \"" + word + "\" is unknown here: a worker with the handler \"" + word
                            + "\" runs the task.",
                    Nearest.didYouMean(word, TaskType.words()) + "Start such a worker.");
        }
        return true;
    }

    /** Whether an unknown word may be a type that workers handle. */
    static boolean isTypeOfWorkers(String word) {
        return REFERENCE.matcher(word).matches();
    }

    private void ignoreForeignKeys(Fields fields, TaskType type) {
        for (SourceNode.Entry entry : fields.entries()) {
            if (!type.takes(entry.key()) && !Reading.isEmpty(entry.value())) {
                reading.warn(
                        entry.mark(),
                        fields.path(entry.key()),
                        "\"" + entry.key() + "\" does not apply to a task of the type " + type + ".",
                        "Remove it, or correct the type.");
            }
        }
    }

    private List<TaskList> lists(Fields fields, TaskType type, int nesting) {
        return switch (type) {
            case SWITCH, DECISION -> cases(fields, nesting);
            case FORK_JOIN -> branches(fields, nesting);
            case DO_WHILE -> body(fields, nesting);
            default -> List.of();
        };
    }

    /** Reads the cases; the default case comes last. */
    private List<TaskList> cases(Fields fields, int nesting) {
        List<TaskList> lists = new ArrayList<>();
        fields.find("decisionCases").ifPresent(node -> {
            Fields cases = reading.fields(node, fields.path("decisionCases"), "decisionCases", List.of());
            for (SourceNode.Entry entry : cases.entries()) {
                lists.add(new TaskList(entry.key(), list(entry.value(), cases.path(entry.key()), nesting + 1)));
            }
        });
        List<TaskNode> otherwise = fields.find("defaultCase")
                .map(node -> list(node, fields.path("defaultCase"), nesting + 1))
                .orElse(List.of());
        lists.add(new TaskList("", otherwise));
        return lists;
    }

    private List<TaskList> branches(Fields fields, int nesting) {
        Optional<SourceNode> node = fields.find("forkTasks");
        if (node.isEmpty() || !(node.get() instanceof SourceNode.Sequence sequence)) {
            reading.problem(
                    fields,
                    "forkTasks",
                    "The fork has no list of branches.",
                    "Add forkTasks with a list of tasks for each branch: [[…], […]].");
            return List.of();
        }
        List<TaskList> lists = new ArrayList<>();
        for (SourceNode branch : sequence.items()) {
            String path = Paths.element(fields.path("forkTasks"), lists.size());
            lists.add(new TaskList("", list(branch, path, nesting)));
        }
        return lists;
    }

    /**
     * Refuses a reference name that is the name of another task in an iteration, such as {@code count__2} beside a task
     * {@code count} of a loop. Each task would otherwise answer for the other one: in references, joins and signals.
     */
    private void refuseNameOfIteration(Place place) {
        String name = place.task().reference();
        Matcher numbered = NUMBERED.matcher(name);
        for (int numbers = 1; numbered.matches(); numbers++) {
            String base = numbered.group(1);
            Place other = places.get(base);
            if (other != null && numbers <= loopsAround(other)) {
                reading.problem(
                        place.task().fields(),
                        "taskReferenceName",
                        "The taskReferenceName \"" + name + "\" is that of the task \"" + base
                                + "\" in an iteration of its loop.",
                        "Give one of the two another name.");
                return;
            }
            numbered = NUMBERED.matcher(base);
        }
    }

    private static long loopsAround(Place place) {
        return place.containers().stream()
                .filter(container -> container.type() == TaskType.DO_WHILE)
                .count();
    }

    private List<TaskList> body(Fields fields, int nesting) {
        Optional<SourceNode> node = fields.find("loopOver");
        if (node.isEmpty() || Reading.isEmpty(node.get())) {
            reading.problem(
                    fields, "loopOver", "The loop has no tasks.", "Add loopOver with a list of at least one task.");
            return List.of(new TaskList("", List.of()));
        }
        return List.of(new TaskList("", list(node.get(), fields.path("loopOver"), nesting + 1)));
    }
}
