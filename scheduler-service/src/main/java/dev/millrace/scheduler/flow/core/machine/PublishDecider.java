package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.graph.PublishWork;
import dev.millrace.scheduler.flow.core.state.Place;
import dev.millrace.scheduler.queue.core.Outcome;

/** Ends a step with the message that it publishes. The input of the step names the event, for whoever delivers it. */
final class PublishDecider {
    private PublishDecider() {}

    static void begin(PublishWork publish, Place place, Bindings bindings, Transition transition) {
        Resolution event = bindings.resolve(publish.event());
        Resolution message = bindings.resolve(publish.message());
        if (event instanceof Resolution.Unresolved unresolved) {
            transition.failHere(place, FlowErrors.unresolved("name of the event", unresolved));
        } else if (message instanceof Resolution.Unresolved unresolved) {
            transition.failHere(place, FlowErrors.unresolved("message", unresolved));
        } else if (event instanceof Resolution.Resolved(JsonValue name)
                && message instanceof Resolution.Resolved(JsonValue value)) {
            if (name.kind() == JsonValue.Kind.STRING) {
                transition.endHere(place, PublishWork.input(name), new Outcome.Succeeded(value.json()));
            } else {
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "name of the event", "a string", name.kind().phrase()));
            }
        }
    }
}
