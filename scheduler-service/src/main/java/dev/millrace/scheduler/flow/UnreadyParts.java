package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.flow.core.FlowDefinition;
import dev.millrace.scheduler.flow.core.FlowOptions;
import dev.millrace.scheduler.flow.core.Step;
import dev.millrace.scheduler.flow.core.StepAction;
import dev.millrace.scheduler.flow.core.StepList;
import dev.millrace.scheduler.flow.core.StepPolicy;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
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
        options.onFailure().ifPresent(this::check);
    }

    private void check(StepList list) {
        for (Step step : list.steps()) {
            check("Step \"" + step.id() + "\"", step.policy());
            check(step.action());
        }
    }

    private void check(String step, StepPolicy policy) {
        refuse(policy.timeout().isPresent(), step, "a time limit around other steps");
    }

    private void check(StepAction action) {
        switch (action) {
            case StepAction.ForEach loop -> check(loop.body());
            case StepAction.While loop -> check(loop.body());
            case StepAction.Switch choice -> {
                choice.cases().forEach(branch -> check(branch.steps()));
                choice.otherwise().ifPresent(this::check);
            }
            case StepAction.Parallel parallel -> parallel.branches().forEach(branch -> check(branch.steps()));
            case StepAction.StartRun _,
                    StepAction.SubFlow _,
                    StepAction.Task _,
                    StepAction.Compute _,
                    StepAction.SetVariables _,
                    StepAction.Terminate _,
                    StepAction.Wait _ -> {}
        }
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
