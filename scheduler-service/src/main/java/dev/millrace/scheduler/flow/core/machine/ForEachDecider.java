package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.graph.ForEachWork;
import dev.millrace.scheduler.flow.core.state.ContainerOpening;
import dev.millrace.scheduler.flow.core.state.Place;

/** Opens a loop over its items. */
final class ForEachDecider {
    private ForEachDecider() {}

    static void begin(ForEachWork loop, Place place, Bindings bindings, Transition transition) {
        switch (bindings.resolve(loop.items())) {
            case Resolution.Unresolved unresolved ->
                transition.failHere(place, FlowErrors.unresolved("list of items", unresolved));
            case Resolution.Resolved(JsonValue items)
            when items.kind() != JsonValue.Kind.ARRAY || !items.isReadable() ->
                transition.failHere(
                        place,
                        FlowErrors.wrongType(
                                "value of for_each", "an array", items.kind().phrase()));
            case Resolution.Resolved(JsonValue items)
            when items.elements().size() > FlowLimits.LOOP_ITEMS_MAX ->
                transition.failHere(
                        place, FlowErrors.tooManyItems(items.elements().size()));
            case Resolution.Resolved(JsonValue items)
            when loop.computedParallelism().isPresent() ->
                begin(loop, items, bindings.resolve(loop.computedParallelism().get()), place, transition);
            case Resolution.Resolved(JsonValue items) ->
                transition.iterations.begin(place, transition.open(place, items));
        }
    }

    /** Opens the loop. The parallelism of a loop without items is irrelevant, so it may be invalid. */
    private static void begin(
            ForEachWork loop, JsonValue items, Resolution parallelism, Place place, Transition transition) {
        boolean isEmpty = items.elements().isEmpty();
        switch (parallelism) {
            case Resolution.Unresolved unresolved
            when !isEmpty -> transition.failHere(place, FlowErrors.unresolved("parallelism", unresolved));
            case Resolution.Resolved(JsonValue value)
            when !isEmpty && !isCount(value) ->
                transition.failHere(place, FlowErrors.wrongType("parallelism", "a whole number from 1", value.shown()));
            case Resolution.Resolved(JsonValue value)
            when !isEmpty -> {
                int most = (int) Math.min(Double.parseDouble(value.toString()), loop.parallelism());
                open(items, most, place, transition);
            }
            case Resolution _ -> open(items, 1, place, transition);
        }
    }

    private static void open(JsonValue items, int parallelism, Place place, Transition transition) {
        transition.iterations.begin(place, transition.open(place, ContainerOpening.loop(items, parallelism)));
    }

    private static boolean isCount(JsonValue value) {
        return value.kind() == JsonValue.Kind.NUMBER && value.isWhole() && Double.parseDouble(value.toString()) >= 1;
    }
}
