package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Arguments;
import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Function family {@code conductor}: lets expressions of the dialect {@code millrace} read what Conductor's expressions
 * can read.
 */
public final class ConductorFunctions {
    static final String FAMILY = "conductor";

    private ConductorFunctions() {}

    /** Returns the expression of a call; empty if the family has no function with this name. */
    public static Optional<Expression> call(String name, Arguments given) {
        return Optional.ofNullable(expression(name, given));
    }

    private static @Nullable Expression expression(String name, Arguments given) {
        return switch (name) {
            case "output" -> new TaskOutput(given.text(0), given.word(1, Shape.class), given.flag(2));
            case "status" -> new TaskStatus(given.text(0), given.flag(1), given.count() > 2 && given.flag(2));
            case "forked_input" -> new ForkedInput();
            case "job_id" -> new OwnJobId();
            case "moment" -> new Moment();
            case "run_created" -> new RunCreated();
            case "sub_workflow_output" -> new SubWorkflowOutput(given.text(0), given.flag(1));
            case "join_status" -> new JoinStatus(given.text(0), given.flag(1));
            case "join_output" -> new JoinOutput(given.expression(0), given.flag(1), given.texts(2));
            case "chosen_case" -> new ChosenCase(given.expression(0), given.flag(1));
            case "earlier_fork" -> new EarlierFork(given.number(0), given.expressions(1));
            case "ran_in_loop" -> new RanInLoop(given.expression(0), given.texts(1));
            case "forked_member" -> new ForkedMember(given.texts(0), given.text(1), given.flag(2));
            case "workflow_output" -> new WorkflowOutput(given.expression(0));
            case "first" -> new FirstOutput(given.expressions(0));
            case "outputs" -> new Outputs(given.members(0));
            case "completed_output" -> new CompletedOutput(given.expression(0), given.expression(1));
            case "member" -> new MemberOf(given.expression(0), given.text(1));
            case "not_timed_out" -> NotTimedOut.INSTANCE;
            case "loop_output" -> new LoopOutput(given.text(0));
            case "loop_progress" -> new LoopProgress(given.number(0), given.flag(1));
            case "loop_after_iteration" -> new LoopAfterIteration(given.count() > 0 && given.flag(0));
            case "loop_goes_on" -> new LoopGoesOn(new Template.Whole(given.expression(0)), given.flag(1));
            case "loop_items" -> new LoopItems(given.expression(0));
            case "iteration" -> new IterationNumber(given.number(0));
            case "iteration_output" -> new IterationOutput(given.expression(0), iteration(given), given.text(1));
            case "fork_tasks_and_inputs" ->
                new ForkedTasks(
                        given.expression(0),
                        new ForkedTasks.Form.TasksAndInputs(given.text(1), given.text(2), given.text(3)),
                        scripts(given, 4),
                        definitions(given, 5));
            case "fork_tasks" ->
                new ForkedTasks(
                        given.expression(0),
                        new ForkedTasks.Form.Joined(given.text(1)),
                        scripts(given, 2),
                        definitions(given, 3));
            case "fork_inputs" ->
                new ForkedTasks(
                        given.expression(0),
                        new ForkedTasks.Form.Alike(given.text(1)),
                        scripts(given, 2),
                        definitions(given, 3));
            case "task_value" -> new TaskValue(given.word(0, TaskType.class), given.expression(1));
            case "fork_inputs_after" ->
                new ForkedTasks(
                        given.expression(0),
                        new ForkedTasks.Form.Alike(given.text(1), given.expression(2)),
                        scripts(given, 3),
                        definitions(given, 4));
            case "forked_value" -> new ForkedValue();
            case "target" -> new NamedTarget(given.expression(0), scripts(given, 1));
            case "join_end" -> new JoinEnd(given.expression(0), given.expression(1));
            case "join_ready" -> new JoinReady(given.text(0), false, given.expression(1));
            case "fork_ready" -> new JoinReady(given.text(0), true, given.expression(1));
            case "status_so_far" -> new StatusSoFar(given.text(0), given.expression(1));
            case "forked_states" -> new ForkedStates(given.text(0));
            case "forked_output" -> new ForkedOutput(given.text(0));
            case "forked_outputs" -> new ForkedOutputs(given.text(0));
            case "flow_path" ->
                new FlowPath(
                        given.expression(0),
                        given.count() > 1 ? given.expression(1) : Composed.constant(JsonValue.NULL));
            case "start_request" -> new StartRequest(given.expression(0), given.word(1, StartRequest.Part.class));
            case "poll_output" -> PollOutput.INSTANCE;
            case "poll_interval" -> new PollInterval(given.expression(0), given.word(1, PollInterval.Strategy.class));
            case "http" -> new HttpRequest(given.expression(0));
            case "kafka" -> new KafkaRequest(given.expression(0));
            default -> null;
        };
    }

    private static Map<String, String> scripts(Arguments given, int position) {
        return given.count() > position ? given.namedTexts(position) : Map.of();
    }

    private static JsonValue definitions(Arguments given, int position) {
        return given.count() > position ? given.constant(position) : JsonValue.EMPTY_ARRAY;
    }

    private static OptionalInt iteration(Arguments given) {
        return given.count() > 2 ? OptionalInt.of(given.number(2)) : OptionalInt.empty();
    }
}
