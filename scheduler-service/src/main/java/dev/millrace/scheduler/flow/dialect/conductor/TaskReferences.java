package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.jsonpath.References;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import dev.millrace.scheduler.flow.dialect.conductor.TaskTree.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resolver of the paths in one string of a definition, as seen from the task that contains the string. */
final class TaskReferences implements References {
    private static final Pattern OF_ITERATION = Pattern.compile("(.+)__([1-9][0-9]{0,5})");
    /** Longest chain of tasks in which each reads the input of the next. */
    private static final int INPUTS_MAX = 20;

    private final Compiling compiling;
    private final Level level;
    private final Mark mark;
    private final String path;
    /** The chain of tasks whose parameters are evaluated again, each because the one before it reads them. */
    private final List<TaskNode> chain;

    private final boolean afterIteration;
    private final boolean ofJob;
    /** Whether these references, or copies of them for other strings, read a variable. */
    private final AtomicBoolean readsVariables;

    TaskReferences(Compiling compiling, Level level, Mark mark, String path) {
        this(compiling, level, mark, path, List.of(), false, false, new AtomicBoolean());
    }

    private TaskReferences(
            Compiling compiling,
            Level level,
            Mark mark,
            String path,
            List<TaskNode> chain,
            boolean afterIteration,
            boolean ofJob,
            AtomicBoolean readsVariables) {
        this.compiling = compiling;
        this.level = level;
        this.mark = mark;
        this.path = path;
        this.chain = chain;
        this.afterIteration = afterIteration;
        this.ofJob = ofJob;
        this.readsVariables = readsVariables;
    }

    /** Copies the references for the input of a job, which has an id. */
    TaskReferences ofJob() {
        return new TaskReferences(compiling, level, mark, path, chain, afterIteration, true, readsVariables);
    }

    /**
     * Copies the references for the condition of a loop, which reads the outputs of the iteration that has just ended.
     */
    TaskReferences afterIteration() {
        return new TaskReferences(compiling, level, mark, path, chain, true, ofJob, new AtomicBoolean());
    }

    /** Copies the references for a string at another place. */
    TaskReferences at(Mark newMark, String newPath) {
        return chain.isEmpty()
                ? new TaskReferences(compiling, level, newMark, newPath, chain, afterIteration, ofJob, readsVariables)
                : this;
    }

    /** Whether a string read with these references contains a variable of the run. */
    boolean readsVariables() {
        return readsVariables.get();
    }

    @Override
    public Optional<Expression> findWhole(String whole) {
        return workflow().findSecret(whole);
    }

    private WorkflowReferences workflow() {
        return new WorkflowReferences(compiling, mark, path);
    }

    @Override
    public Optional<Expression> find(String holder, String member) {
        if (holder.equals(WorkflowReferences.WORKFLOW)) {
            if (member.equals("variables")) {
                readsVariables.set(true);
            }
            return workflow().find(member);
        }
        Optional<Place> place = compiling.tree().find(holder);
        OptionalInt number = OptionalInt.empty();
        if (place.isEmpty()) {
            Matcher ofIteration = OF_ITERATION.matcher(holder);
            if (ofIteration.matches()) {
                place = compiling.tree().find(ofIteration.group(1));
                number = OptionalInt.of(Integer.parseInt(ofIteration.group(2)));
            }
        }
        if (place.isEmpty()) {
            return member.isEmpty() && WorkflowReferences.isVariable(holder)
                    ? workflow().findVariable(holder, ofJob)
                    : forked(holder, member).or(() -> unknownTask(holder));
        }
        return switch (member) {
            case "output" -> output(place.get(), number);
            case "input" -> input(place.get());
            case "status" -> status(place.get());
            case "taskType" -> constant(place.get().task().typeWord());
            case "taskDefName" -> constant(place.get().task().name());
            case "referenceTaskName" -> constant(place.get().task().reference());
            case "workflowInstanceId" -> Optional.of(new Path(new Root.Run(), List.of()));
            case "correlationId" -> Optional.of(Composed.constant(JsonValue.NULL));
            case "iteration" -> iteration(place.get());
            case "scheduledTime", "startTime", "endTime" -> time(place.get(), member);
            default ->
                missing(
                        "\"" + holder + (member.isEmpty() ? "" : "." + member)
                                + "\" is unknown here and evaluates to null.",
                        "Of a task there are output, input, status, taskType, taskDefName, referenceTaskName, "
                                + "scheduledTime, startTime, endTime, iteration, workflowInstanceId and correlationId.");
        };
    }

    /** Finds a task that a dynamic fork may have created. */
    private Optional<Expression> forked(String holder, String member) {
        return member.equals("output") || member.equals("status")
                ? new DynamicallyForked(compiling, level).find(holder, member.equals("status"))
                : Optional.empty();
    }

    private static Optional<Expression> constant(String text) {
        return Optional.of(Composed.constant(JsonValue.ofString(text)));
    }

    private Optional<Expression> unknownTask(String holder) {
        List<String> known = new ArrayList<>();
        compiling.tree().references().forEach(known::add);
        known.add(WorkflowReferences.WORKFLOW);
        return missing(
                "There is no task with the taskReferenceName \"" + holder + "\": reading it yields null.",
                Nearest.didYouMean(holder, known) + "There are: " + String.join(", ", known) + ".");
    }

    private Optional<Expression> output(Place place, OptionalInt number) {
        int shared = shared(place);
        List<TaskNode> containers = place.containers();
        Optional<Integer> loop = loopAfter(containers, shared);
        if (number.isPresent() && loop.isEmpty()) {
            return problem(
                    "\"" + place.task().reference() + "__" + number.getAsInt()
                            + "\" is a task of one iteration, which can be read only after the loop.",
                    "Read \"" + place.task().reference()
                            + "\": inside the loop, it is the task of the current iteration.");
        }
        TaskNode visible = loop.isPresent() ? containers.get(loop.get()) : place.task();
        if (afterIteration && shared == level.depth()) {
            return Optional.of(new MemberOf(
                    new Path(new Root.Result(), List.of()), place.task().reference()));
        }
        Level home = level.at(shared);
        String step = visibleStep(place, level);
        if (isAround(visible)) {
            return insideOf(visible);
        }
        if (!home.endsBefore(step)) {
            return notBefore(place, home);
        }
        if (isSwitch(visible) && !compiling.recordsDecision(visible) && isCircle(visible)) {
            return circle(visible);
        }
        boolean conditional = shared < containers.size();
        Expression output = outputOfStep(visible, conditional);
        for (int i = loop.orElse(containers.size()); i < containers.size(); i++) {
            if (containers.get(i).type() == TaskType.DO_WHILE) {
                Optional<Integer> next = loopAfter(containers, i + 1);
                String task = next.isPresent()
                        ? containers.get(next.get()).reference()
                        : place.task().reference();
                output = new IterationOutput(output, next.isPresent() ? OptionalInt.empty() : number, task);
            }
        }
        return Optional.of(output);
    }

    /** The output of a task whose step is visible from here. */
    private Expression outputOfStep(TaskNode task, boolean conditional) {
        return switch (task.type()) {
            case DO_WHILE -> new LoopOutput(task.reference());
            case SWITCH, DECISION -> switchOutput(task);
            case SUB_WORKFLOW -> new SubWorkflowOutput(task.reference(), conditional);
            default -> new TaskOutput(task.reference(), Shape.of(task), conditional);
        };
    }

    /** Number of containers that enclose both the string and the task. */
    private int shared(Place place) {
        return shared(place, level);
    }

    /**
     * The step that represents a task in the innermost list that encloses both: its own step, or that of the container
     * around it.
     */
    static String visibleStep(Place place, Level level) {
        int shared = shared(place, level);
        return shared < place.containers().size()
                ? place.containers().get(shared).reference()
                : place.task().reference();
    }

    static int shared(Place place, Level level) {
        int shared = 0;
        while (shared < place.containers().size()
                && shared < level.depth()
                && place.containers().get(shared).equals(level.at(shared + 1).container())) {
            shared++;
        }
        return shared;
    }

    private static Optional<Integer> loopAfter(List<TaskNode> containers, int from) {
        for (int i = from; i < containers.size(); i++) {
            if (containers.get(i).type() == TaskType.DO_WHILE) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private boolean isAround(TaskNode task) {
        for (Level around = level; around != null; around = around.outer()) {
            if (task.equals(around.container())) {
                return true;
            }
        }
        return false;
    }

    /** The output of a loop or switch around the string, which has begun but not ended. */
    private Optional<Expression> insideOf(TaskNode container) {
        if (container.type() != TaskType.DO_WHILE) {
            return isCircle(container) && !compiling.recordsDecision(container)
                    ? circle(container)
                    : Optional.of(switchOutput(container));
        }
        if (afterIteration && container.equals(level.container())) {
            return Optional.of(new LoopAfterIteration(Loops.isOverItems(container)));
        }
        return Optional.of(new LoopProgress(loopsInside(container), Loops.isOverItems(container)));
    }

    /** Number of loops between the string and a loop around it. */
    private int loopsInside(TaskNode container) {
        int loops = 0;
        for (Level around = level; around != null && !container.equals(around.container()); around = around.outer()) {
            TaskNode between = around.container();
            loops += between != null && between.type() == TaskType.DO_WHILE ? 1 : 0;
        }
        return loops;
    }

    /**
     * Resolves the output of a task that comes later. Inside a loop with a condition, that is the output of the
     * previous iteration.
     */
    private Optional<Expression> notBefore(Place place, Level home) {
        for (Level around = home; around != null; around = around.outer()) {
            TaskNode container = around.container();
            if (container != null && container.type() == TaskType.DO_WHILE && !Loops.isOverItems(container)) {
                Expression before = new Path(new Root.Item(loopsInside(container)), List.of());
                return Optional.of(new MemberOf(before, place.task().reference()));
            }
        }
        if (home.isOtherCaseThanOf(visibleStep(place, level))) {
            return missing(
                    "Task \"" + place.task().reference()
                            + "\" is in another case of the switch: reading it yields null.",
                    "Read it after the cases.");
        }
        return problem(
                "The output of task \"" + place.task().reference()
                        + "\" is read here, but the task may not have ended by then.",
                "Read it in a task that comes after it, or join on it first.");
    }

    private Optional<Expression> input(Place place) {
        if (place.containers().size() > shared(place) || chain.size() >= INPUTS_MAX) {
            return problem(
                    "The input of task \"" + place.task().reference() + "\" cannot be read here.",
                    "Read the values from which the input is made.");
        }
        if (!level.at(shared(place)).endsBefore(place.task().reference())) {
            return problem(
                    "The input of task \"" + place.task().reference()
                            + "\" is read here, but the task may not have begun by then.",
                    "Read it in a task that comes after it.");
        }
        TaskReferences through = through(place.task());
        Params params = compiling.params(place.task(), through);
        return Optional.of(unchanged(place.task(), params.expression(), through));
    }

    /** Copies the references for the parameters of an earlier task, as evaluated again from here. */
    private TaskReferences through(TaskNode task) {
        List<TaskNode> further = new ArrayList<>(chain);
        further.add(task);
        return new TaskReferences(
                compiling, level, mark, path, List.copyOf(further), afterIteration, false, new AtomicBoolean());
    }

    /**
     * An expression that evaluates the input of an earlier task again. Its value is right only if nothing in it has
     * changed; this reports a problem if it reads variables.
     */
    private Expression unchanged(TaskNode task, Expression expression, TaskReferences through) {
        if (through.readsVariables()) {
            problem(
                    "The input of task \"" + task.reference()
                            + "\" cannot be read, because it depends on variables, which may have changed since.",
                    "Read the variable itself.");
        }
        return expression;
    }

    private static boolean isSwitch(TaskNode task) {
        return task.type() == TaskType.SWITCH || task.type() == TaskType.DECISION;
    }

    /** Whether the value of a switch reads its own output, or the chain of parameters to evaluate again is too long. */
    private boolean isCircle(TaskNode task) {
        return chain.contains(task) || chain.size() >= INPUTS_MAX;
    }

    private Optional<Expression> circle(TaskNode task) {
        return problem(
                "The output of task \"" + task.reference()
                        + "\" cannot be read here: it is evaluated again from the value that "
                        + "the task decides by, which reads the same output again, or goes through more than "
                        + INPUTS_MAX + " tasks.",
                "Let the task decide by a value other than its own output.");
    }

    /** The value by which a switch chose its case. */
    private Expression switchOutput(TaskNode task) {
        TaskReferences through = through(task);
        return unchanged(task, Choices.output(compiling, task, through), through);
    }

    private Optional<Expression> status(Place place) {
        int shared = shared(place);
        if (loopAfter(place.containers(), shared).isPresent()) {
            return problem(
                    "The status of task \"" + place.task().reference() + "\" cannot be read from outside of its loop.",
                    "Read its output.");
        }
        String step = visibleStep(place, level);
        return level.at(shared).endsBefore(step)
                ? Optional.of(
                        statusOfStep(place.task(), shared < place.containers().size()))
                : problem(
                        "The status of task \"" + place.task().reference()
                                + "\" is read here, but the task may not have ended by then.",
                        "Read it in a task that comes after it, or join on it first.");
    }

    private Expression statusOfStep(TaskNode task, boolean conditional) {
        if (JoinTasks.hasScript(task)) {
            compiling
                    .reading()
                    .warn(
                            mark,
                            path,
                            "\"" + task.reference()
                                    + ".status\" depends on the joined tasks, not on the status that the script of the join returns.",
                            "Return the status in outputData and read that.");
        }
        return task.type() == TaskType.JOIN
                ? new JoinStatus(task.reference(), conditional)
                : new TaskStatus(task.reference(), conditional, TaskSettings.isPermissive(task));
    }

    /** The begin or end time of a task, read from the step that recorded it. */
    private Optional<Expression> time(Place place, String member) {
        TaskNode task = place.task();
        int shared = shared(place);
        boolean end = member.equals(TimeNotes.END);
        String note = end ? TimeNotes.ended(task) : TimeNotes.scheduled(task);
        boolean inside = shared < place.containers().size();
        boolean isNoted =
                TimeNotes.canHave(task) && loopAfter(place.containers(), shared).isEmpty();
        String visible = inside ? visibleStep(place, level) : note;
        if (!isNoted || !level.at(shared).endsBefore(visible)) {
            return missing(
                    "\"" + task.reference() + "." + member
                            + "\" is null here: times are known of tasks that are neither forks nor"
                            + " joins, once they have ended, and inside the same loop.",
                    "Let a script return the time.");
        }
        if (member.equals("startTime") && WorkerTasks.isWorker(task)) {
            compiling
                    .reading()
                    .warn(
                            mark,
                            path,
                            "\"" + task.reference()
                                    + ".startTime\" is the time at which the task could begin; a worker may have"
                                    + " taken it later.",
                            "Read \"" + task.reference() + ".scheduledTime\", or let the worker return the time.");
        }
        return Optional.of(new Path(new Root.StepResultIfAny(note), List.of()));
    }

    /** The number of the iteration that runs the task, from 1; 0 outside loops. */
    private Optional<Expression> iteration(Place place) {
        for (TaskNode container : place.containers().reversed()) {
            if (container.type() == TaskType.DO_WHILE) {
                return isAround(container)
                        ? Optional.of(new IterationNumber(loopsInside(container)))
                        : missing(
                                "\"" + place.task().reference()
                                        + ".iteration\" is null here: the loop of the task has ended.",
                                "Read \"" + container.reference() + ".output.iteration\".");
            }
        }
        return Optional.of(Composed.constant(JsonValue.of(0)));
    }

    /** Resolves an unknown name to null, as Conductor does, with a warning. */
    private Optional<Expression> missing(String message, String remedy) {
        compiling.reading().warn(mark, path, message, remedy);
        return Optional.of(Composed.constant(JsonValue.NULL));
    }

    private Optional<Expression> problem(String message, String remedy) {
        compiling.reading().problem(mark, path, message, remedy);
        return Optional.empty();
    }
}
