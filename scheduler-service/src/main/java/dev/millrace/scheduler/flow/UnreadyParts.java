package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.FlowDefinition;
import dev.millrace.scheduler.flow.core.FlowOptions;
import dev.millrace.scheduler.flow.core.Step;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepAction.LoopOptions;
import dev.millrace.scheduler.flow.core.StepAction.TaskTarget;
import dev.millrace.scheduler.flow.core.StepList;
import dev.millrace.scheduler.flow.core.StepPolicy;
import dev.millrace.scheduler.flow.core.StepPolicy.OnFailure;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.util.ArrayList;
import java.util.List;

/** Refuses what a definition may say and the engine does not run yet. Loses a line with each thing that the engine learns. */
final class UnreadyParts {
    private final List<FlowProblem> problems = new ArrayList<>();

    private UnreadyParts() {}

    static List<FlowProblem> problems(FlowDefinition flow) {
        UnreadyParts unready = new UnreadyParts();
        unready.check(flow.options());
        unready.check(flow.steps());
        return unready.problems;
    }

    private void check(FlowOptions options) {
        refuse(!options.variables().equals(JsonValue.EMPTY_OBJECT), "The flow", "variables");
        refuse(options.onFailure().isPresent(), "The flow", "steps for its failure");
        refuse(options.failureFlow().isPresent(), "The flow", "a flow for its failure");
        refuse(options.timeout().isPresent(), "The flow", "a time limit");
        refuse(options.priority() != 0, "The flow", "a priority");
        refuse(options.concurrency().isPresent(), "The flow", "a limit on runs at the same time");
        refuse(options.inputSchema().isPresent(), "The flow", "a schema of its input");
    }

    private void check(StepList list) {
        for (Step step : list.steps()) {
            check("Step \"" + step.id() + "\"", step.policy());
            check("Step \"" + step.id() + "\"", step.action());
        }
    }

    private void check(String step, StepPolicy policy) {
        refuse(policy.skip().isPresent(), step, "a condition under which it is skipped");
        refuse(policy.mock().isPresent(), step, "a mock");
        refuse(policy.delay().isPresent(), step, "a delay");
        refuse(policy.timeout().isPresent(), step, "a time limit around other steps");
        refuse(!policy.retry().equals(RetryPolicy.NONE), step, "retries of a whole container");
        refuse(policy.retryIf().isPresent(), step, "a condition on its retries");
        refuse(!policy.stops().isEmpty(), step, "a condition under which the flow stops");
        refuse(policy.onFailure() != OnFailure.FAIL, step, "a failure that does not count");
    }

    private void check(String step, StepAction action) {
        switch (action) {
            case StepAction.Task task -> {
                refuse(task.target() instanceof TaskTarget.Computed, step, "a script or handler that is computed");
                refuse(
                        task.options()
                                .tag()
                                .filter(tag -> !(tag instanceof Template.Constant))
                                .isPresent(),
                        step,
                        "a tag that is computed");
            }
            case StepAction.ForEach loop -> {
                check(step, loop.options());
                check(loop.body());
            }
            case StepAction.While loop -> {
                refuse(true, step, "a while loop");
                check(step, loop.options());
                check(loop.body());
            }
            case StepAction.Switch choice -> {
                choice.cases().forEach(branch -> check(branch.steps()));
                choice.otherwise().ifPresent(this::check);
            }
            case StepAction.Parallel parallel -> {
                refuse(true, step, "parallel branches");
                parallel.branches().forEach(branch -> check(branch.steps()));
            }
            case StepAction.SubFlow _ -> refuse(true, step, "a flow inside the flow");
            case StepAction.StartRun _ -> refuse(true, step, "the start of another run");
            case StepAction.Compute _ -> {}
            case StepAction.SetVariables _ -> refuse(true, step, "a change of variables");
            case StepAction.Terminate _ -> {}
            case StepAction.Wait _ -> refuse(true, step, "a wait");
        }
    }

    private void check(String step, LoopOptions options) {
        refuse(options.skipFailures(), step, "iterations whose failures do not count");
        refuse(options.breakIf().isPresent(), step, "a condition that ends the loop");
        refuse(options.key().isPresent(), step, "names of its iterations");
        refuse(options.keepLast().isPresent(), step, "a limit on the results it keeps");
    }

    private void refuse(boolean unready, String owner, String what) {
        if (unready) {
            problems.add(new FlowProblem(
                    0,
                    0,
                    "",
                    owner + " has " + what + ", which the engine does not run yet.",
                    "Leave it out, or wait for a version that does."));
        }
    }
}
