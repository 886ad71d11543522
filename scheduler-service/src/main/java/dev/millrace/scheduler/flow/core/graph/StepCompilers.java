package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;

/** Compiles steps to their work, with one line for each kind of action. */
final class StepCompilers {
    private StepCompilers() {}

    /**
     * Compiles a step.
     *
     * @param list records what the step reads, and compiles the lists inside it
     */
    static Work compile(Step step, GraphBuilder list) {
        return switch (step.action()) {
            case StepAction.Task task -> TaskWork.compile(task, step.policy(), list);
            case StepAction.Hooked hooked -> SwitchWork.compile(HookedStep.block(hooked), list);
            case StepAction.ForEach loop -> ForEachWork.compile(loop, list);
            case StepAction.While loop -> WhileWork.compile(loop, list);
            case StepAction.Parallel parallel -> ParallelWork.compile(parallel, list);
            case StepAction.Switch choice -> SwitchWork.compile(choice, list);
            case StepAction.SubFlow sub -> SubFlowWork.compile(sub, list);
            case StepAction.InlineFlow sub -> SubFlowWork.compile(sub, list);
            case StepAction.StartRun start -> StartRunWork.compile(start, list);
            case StepAction.ChildRun child -> ChildRunWork.compile(child, list);
            case StepAction.Compute compute -> ComputeWork.compile(compute, list);
            case StepAction.Publish publish -> PublishWork.compile(publish, list);
            case StepAction.SetVariables set -> SetVariablesWork.compile(set, list);
            case StepAction.Terminate end -> TerminateWork.compile(end, list);
            case StepAction.Wait wait -> WaitWork.compile(wait, list);
            case StepAction.HttpPoll poll -> HttpPollWork.compile(poll, list);
        };
    }
}
