package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Arguments;
import dev.millrace.scheduler.expression.Expression;
import java.util.Optional;

/**
 * Function family {@code openflow}: lets expressions of the dialect {@code millrace} decide about steps as Windmill
 * does.
 */
public final class OpenFlowFunctions {
    static final String FAMILY = "openflow";

    private OpenFlowFunctions() {}

    /** Returns the expression of a call; empty if the family has no function with this name. */
    public static Optional<Expression> call(String name, Arguments given) {
        return switch (name) {
            case "succeeded" -> Optional.of(new Succeeded(given.text(0)));
            case "previous_iteration" -> Optional.of(new PreviousIteration(given.expression(0), given.number(1)));
            case "gate_error" -> Optional.of(new GateError(given.texts(0)));
            default -> Optional.empty();
        };
    }
}
