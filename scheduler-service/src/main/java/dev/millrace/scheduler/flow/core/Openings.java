package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import java.util.Optional;

/**
 * What a container leaves when it begins: a loop its items, a switch its decision as {@code {"case":0}}, {@code
 * {"case":"default"}} or {@code {"case":null}}.
 */
final class Openings {
    private static final String CASE = "case";
    private static final JsonValue DEFAULT = JsonValue.ofString("default");

    private Openings() {}

    /** The row of a switch; position {@code cases.size()} is the default. */
    static JsonValue decision(Node.Switch choice, Optional<Integer> branch) {
        JsonValue taken = branch.map(position -> position < choice.cases().size() ? JsonValue.of(position) : DEFAULT)
                .orElse(JsonValue.NULL);
        return JsonValue.of("{\"" + CASE + "\":" + taken + "}");
    }

    /** The container that a row opens; empty for a switch without a branch. */
    static Optional<StepState.Container> container(ScopeState scope, int step, JsonValue opening) {
        return switch (scope.graph().node(step).work()) {
            case Node.ForEach loop -> Optional.of(new LoopState(opening));
            case Node.Switch choice -> branch(choice, opening).map(graph -> new BranchState(scope.branch(step, graph)));
            case Node.Task _, Node.Wait _, Node.RunStart _, Node.Compute _, Node.Terminate _ ->
                throw new IllegalArgumentException("\"" + scope.key(step) + "\" is no container");
        };
    }

    private static Optional<Graph> branch(Node.Switch choice, JsonValue opening) {
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
