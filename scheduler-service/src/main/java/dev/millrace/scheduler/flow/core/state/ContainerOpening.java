package dev.millrace.scheduler.flow.core.state;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.core.graph.Fan;
import dev.millrace.scheduler.flow.core.graph.ForEachWork;
import dev.millrace.scheduler.flow.core.graph.Graph;
import dev.millrace.scheduler.flow.core.graph.SubFlowWork;
import dev.millrace.scheduler.flow.core.graph.SwitchWork;
import dev.millrace.scheduler.flow.core.graph.Work;
import java.util.Optional;

/**
 * The row that a container writes when it begins.
 * <ul>
 * <li>A loop writes its items, or {@code {"items":[…],"parallelism":3}} if it computes its parallelism.
 * <li>A switch writes its decision: {@code {"case":0}}, {@code {"case":"default"}} or {@code {"case":null}}.
 * <li>A sub-flow writes its input.
 * <li>Other containers write null.
 * </ul>
 */
public final class ContainerOpening {
    private static final String CASE = "case";
    private static final String ITEMS = "items";
    private static final String PARALLELISM = "parallelism";
    private static final JsonValue DEFAULT = JsonValue.ofString("default");

    private ContainerOpening() {}

    /** The row of a loop that has computed its parallelism. */
    public static JsonValue loop(JsonValue items, int parallelism) {
        return JsonValue.of("{\"" + ITEMS + "\":" + items + ",\"" + PARALLELISM + "\":" + parallelism + "}");
    }

    private static LoopState loop(Place place, Fan fan, JsonValue opening, int bytesMax) {
        if (fan instanceof ForEachWork forEach && forEach.computedParallelism().isPresent()) {
            JsonValue items = opening.members().getOrDefault(ITEMS, JsonValue.EMPTY_ARRAY);
            String parallelism = String.valueOf(opening.members().get(PARALLELISM));
            return new LoopState(place.scope(), place.step(), fan, items, Integer.parseInt(parallelism), bytesMax);
        }
        return new LoopState(place.scope(), place.step(), fan, opening, fan.parallelism(), bytesMax);
    }

    /**
     * The row of a switch. Position {@code cases.size()} stands for the default; empty means that no branch matches.
     */
    public static JsonValue decision(SwitchWork choice, Optional<Integer> branch) {
        JsonValue taken = branch.map(position -> position < choice.cases().size() ? JsonValue.of(position) : DEFAULT)
                .orElse(JsonValue.NULL);
        return JsonValue.of("{\"" + CASE + "\":" + taken + "}");
    }

    /** Returns the container that a row opens; empty for a switch without a matching branch. */
    static Optional<StepState.Container> container(Place place, JsonValue opening, int bytesMax) {
        ScopeState scope = place.scope();
        return switch (place.node().work()) {
            case Fan fan -> Optional.of(loop(place, fan, opening, bytesMax));
            case SwitchWork choice ->
                branch(choice, opening).map(graph -> BranchState.ofSwitch(scope, place.step(), graph));
            case SubFlowWork sub ->
                Optional.of(BranchState.ofSubFlow(
                        scope,
                        place.step(),
                        sub.graph(),
                        SubFlowScope.inside(scope.flow(), opening, sub.flow().options())));
            case Work other ->
                throw new IllegalArgumentException("\"" + place.key() + "\" is not a container: " + other.kind());
        };
    }

    private static Optional<Graph> branch(SwitchWork choice, JsonValue opening) {
        JsonValue taken = opening.members().getOrDefault(CASE, JsonValue.NULL);
        return switch (taken.kind()) {
            case NUMBER ->
                Optional.of(
                        choice.cases().get(Integer.parseInt(taken.toString())).graph());
            case STRING -> choice.otherwise();
            case NULL, OBJECT, ARRAY, BOOLEAN -> Optional.empty();
        };
    }
}
