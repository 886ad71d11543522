package dev.millrace.scheduler.flow.core.graph;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.StepList;
import java.util.List;

/** Visits each list of steps of a definition, including nested lists and the steps of {@code onFailure}. */
public final class ListWalk {
    @FunctionalInterface
    public interface Visitor {
        /**
         * Visits one list.
         *
         * @param nesting number of lists around its steps, including the list itself
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

    /** Visits all lists of a flow that runs inside another flow. */
    public static void throughInner(FlowDefinition flow, Visitor visitor) {
        new ListWalk(visitor).walk(HandledFlow.of(flow).steps(), 1);
    }

    private void walk(StepList list, int nesting) {
        visitor.visit(list, nesting);
        for (Step step : list.steps()) {
            inside(step.action()).forEach(inner -> walk(inner, nesting + 1));
        }
    }

    private static List<StepList> inside(StepAction action) {
        if (action instanceof StepAction.Hooked hooked) {
            return HookedStep.block(hooked).lists();
        }
        return action.inlineFlow()
                .map(flow -> List.of(HandledFlow.of(flow).steps()))
                .orElseGet(action::lists);
    }
}
