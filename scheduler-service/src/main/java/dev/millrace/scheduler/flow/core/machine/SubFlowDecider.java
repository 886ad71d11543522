package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.flow.core.graph.SubFlowWork;
import dev.millrace.scheduler.flow.core.state.BranchState;
import dev.millrace.scheduler.flow.core.state.Place;

/** Opens a sub-flow with its validated input. */
final class SubFlowDecider {
    private SubFlowDecider() {}

    static void begin(SubFlowWork sub, Place place, Bindings bindings, Transition transition) {
        switch (bindings.resolve(sub.input())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("input", unresolved));
            case Resolution.Resolved(JsonValue input) -> {
                switch (sub.inputs().check(input.json())) {
                    case RunInput.Refused refused ->
                        transition.failHere(place, FlowErrors.inputRefused(refused.problems()));
                    case RunInput.Accepted accepted -> {
                        if (transition.open(place, JsonValue.of(accepted.input())) instanceof BranchState opened) {
                            transition.queue.add(new Transition.Pending.BeginScope(opened.scope()));
                        }
                    }
                }
            }
        }
    }
}
