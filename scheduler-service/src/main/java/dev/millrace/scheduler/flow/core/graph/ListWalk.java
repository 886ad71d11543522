package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;

/** Goes through every list of steps of a definition, those inside others and the one for its failure included. */
public final class ListWalk {
    /** Is told of each list. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * Looks at one list.
         *
         * @param nesting how many lists there are around its steps, itself included
         */
        void visit(StepList list, int nesting);
    }

    private final Visitor visitor;

    private ListWalk(Visitor visitor) {
        this.visitor = visitor;
    }

    /** Visits all lists, outer ones first. */
    public static void through(FlowDefinition flow, Visitor visitor) {
        ListWalk walk = new ListWalk(visitor);
        walk.walk(flow.steps(), 1);
        flow.options().onFailure().ifPresent(list -> walk.walk(list, 2));
    }

    /** Visits all lists of a flow that runs inside another one. */
    public static void throughInner(FlowDefinition flow, Visitor visitor) {
        new ListWalk(visitor).walk(HandledFlow.of(flow).steps(), 1);
    }

    private void walk(StepList list, int nesting) {
        visitor.visit(list, nesting);
        for (Step step : list.steps()) {
            switch (step.action()) {
                case StepAction.ForEach loop -> walk(loop.body(), nesting + 1);
                case StepAction.While loop -> walk(loop.body(), nesting + 1);
                case StepAction.Switch choice -> {
                    choice.cases().forEach(branch -> walk(branch.steps(), nesting + 1));
                    choice.otherwise().ifPresent(steps -> walk(steps, nesting + 1));
                }
                case StepAction.Hooked hooked ->
                    HookedStep.block(hooked).otherwise().ifPresent(steps -> walk(steps, nesting + 1));
                case StepAction.Parallel parallel ->
                    parallel.branches().forEach(branch -> walk(branch.steps(), nesting + 1));
                case StepAction.InlineFlow sub ->
                    walk(HandledFlow.of(sub.flow()).steps(), nesting + 1);
                case StepAction.SubFlow _,
                        StepAction.Task _,
                        StepAction.StartRun _,
                        StepAction.ChildRun _,
                        StepAction.Compute _,
                        StepAction.SetVariables _,
                        StepAction.Terminate _,
                        StepAction.Wait _ -> {}
            }
        }
    }
}
