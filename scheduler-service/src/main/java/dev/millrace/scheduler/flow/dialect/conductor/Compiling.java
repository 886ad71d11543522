package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.text.script.ScriptLanguages;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * State shared by all parts of the compilation of one workflow. An inline workflow has its own, but shares
 * {@link Gathered}.
 */
final class Compiling {

    private final Reading reading;
    private final TaskTree tree;
    private final TaskDefinitions definitions;
    private final String workflowName;
    private final int workflowVersion;
    private final Set<String> files;
    private final int nesting;
    private final Gathered gathered;

    /** Names that the definition and its inline workflows use. */
    private record Gathered(
            Set<String> scripts, Set<String> candidates, Map<String, FlowUse> flows, Set<TaskNode> recorded) {
        Gathered() {
            this(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashMap<>(), new HashSet<>());
        }
    }

    Compiling(
            Reading reading,
            TaskTree tree,
            TaskDefinitions definitions,
            String workflowName,
            int workflowVersion,
            Set<String> files) {
        this(reading, tree, definitions, workflowName, workflowVersion, Set.copyOf(files), 1, new Gathered());
    }

    private Compiling(
            Reading reading,
            TaskTree tree,
            TaskDefinitions definitions,
            String workflowName,
            int workflowVersion,
            Set<String> files,
            int nesting,
            Gathered gathered) {
        this.reading = reading;
        this.tree = tree;
        this.definitions = definitions;
        this.workflowName = workflowName;
        this.workflowVersion = workflowVersion;
        this.files = files;
        this.nesting = nesting;
        this.gathered = gathered;
    }

    /**
     * State for the compilation of an inline workflow.
     *
     * @param inner tasks of the inline workflow
     * @param lists number of nested task lists around those tasks, including their own
     */
    Compiling inside(TaskTree inner, Workflows workflow, int lists) {
        return new Compiling(reading, inner, definitions, workflow.name(), workflow.version(), files, lists, gathered);
    }

    /** Number of nested task lists around the workflow's own tasks, including their own list. */
    int nesting() {
        return nesting;
    }

    Reading reading() {
        return reading;
    }

    TaskTree tree() {
        return tree;
    }

    TaskDefinitions definitions() {
        return definitions;
    }

    String workflowName() {
        return workflowName;
    }

    int workflowVersion() {
        return workflowVersion;
    }

    /**
     * Finds the script with the name of a task among the files that come with the definition. If empty, a worker's
     * handler runs the task.
     */
    Optional<String> script(String taskName) {
        for (String ending : ScriptLanguages.endings()) {
            String path = taskName + ending;
            gathered.candidates().add(path);
            if (files.contains(path)) {
                gathered.scripts().add(path);
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    /**
     * Paths of scripts by task name, for all known task names: those in the workflow and those in its {@code taskDefs}.
     */
    Map<String, String> namedScripts() {
        Map<String, String> named = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(definitions.names());
        names.addAll(tree.workerTasks());
        names.forEach(name -> script(name).ifPresent(path -> named.put(name, path)));
        return named;
    }

    /** Scripts that the flow runs. */
    List<String> scripts() {
        return List.copyOf(gathered.scripts());
    }

    /** Scripts that the flow would run if they came with the definition. */
    List<String> candidates() {
        return List.copyOf(gathered.candidates());
    }

    /** Makes a step that runs the flow at a path, which may include a version number. */
    StepAction.SubFlow subFlow(String path, Template input, SourceNode.Mark mark, String place) {
        gathered.flows().putIfAbsent(path, new FlowUse(path, mark, place));
        return new StepAction.SubFlow(path, input, Optional.of(SubWorkflowOutput.ID));
    }

    /** Notes that a switch records its value. */
    void recordDecision(TaskNode task) {
        gathered.recorded().add(task);
    }

    /** Whether a switch records its value. */
    boolean recordsDecision(TaskNode task) {
        return gathered.recorded().contains(task);
    }

    /** Workflows that the flow runs as part of itself. */
    List<FlowUse> flows() {
        return List.copyOf(gathered.flows().values());
    }

    /** The parameters of a task: those of its definition in {@code taskDefs}, overridden by its own. */
    Params params(TaskNode task, TaskReferences references) {
        Map<String, Template> members = new LinkedHashMap<>(definitions.inputTemplate(task));
        task.fields().find("inputParameters").ifPresent(node -> members.putAll(members(task, node, references)));
        return new Params(members);
    }

    private Map<String, Template> members(TaskNode task, SourceNode node, TaskReferences references) {
        if (node instanceof SourceNode.Mapping mapping) {
            return new Values(reading, references)
                    .members(mapping, task.fields().path("inputParameters"));
        }
        reading.problem(
                node.mark(),
                task.fields().path("inputParameters"),
                "inputParameters is " + node.phrase() + " (expected: an object).",
                "Write one key for each parameter.");
        return Map.of();
    }

    /** References as the task itself resolves them. */
    TaskReferences references(TaskNode task, Level level) {
        TaskReferences references = new TaskReferences(this, level, task.mark(), task.path());
        boolean isJob = WorkerTasks.isWorker(task) && task.type() != TaskType.FORK_JOIN_DYNAMIC;
        return isJob ? references.ofJob() : references;
    }

    /** Joins the reference names of tasks, for messages. */
    static String names(List<TaskNode> tasks) {
        List<String> names = new ArrayList<>();
        tasks.forEach(task -> names.add(task.reference()));
        return String.join(", ", names);
    }
}
