package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.SwitchWork;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.ContainerOpening;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;

/** Opens a switch with the branch that it takes, or ends a switch that takes none. */
final class SwitchDecider {
    private SwitchDecider() {}

    static void begin(SwitchWork choice, Place place, Bindings bindings, Transition transition) {
        switch (SwitchDecision.decide(choice, bindings)) {
            case SwitchDecision.Undecided undecided ->
                transition.failHere(place, FlowErrors.unresolved("condition", undecided.why()));
            case SwitchDecision.Decided decided -> {
                JsonValue opening = ContainerOpening.decision(choice, decided.branch());
                if (transition.open(place, opening) instanceof BranchState taken) {
                    transition.queue.add(new Transition.Pending.BeginScope(taken.scope()));
                } else {
                    transition.endHere(place, new Outcome.Succeeded(Json.NULL));
                }
            }
        }
    }
}
