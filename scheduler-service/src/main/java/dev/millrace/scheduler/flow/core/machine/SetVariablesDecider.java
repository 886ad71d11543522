package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.graph.SetVariablesWork;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.flow.core.state.VariableChange;
import dev.millrace.scheduler.queue.core.Outcome;

/** Ends a step with a change of the variables of its flow. */
final class SetVariablesDecider {
    private SetVariablesDecider() {}

    static void begin(SetVariablesWork set, Place place, Bindings bindings, Transition transition) {
        switch (bindings.resolve(set.values())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("variables", unresolved));
            case Resolution.Resolved(JsonValue values)
            when values.kind() != JsonValue.Kind.OBJECT ->
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "variables", "an object", values.kind().phrase()));
            case Resolution.Resolved(JsonValue values) -> {
                long number = place.scope().flow().nextChange();
                transition.endHere(
                        place,
                        new Outcome.Succeeded(VariableChange.of(number, values).json()));
            }
        }
    }
}
