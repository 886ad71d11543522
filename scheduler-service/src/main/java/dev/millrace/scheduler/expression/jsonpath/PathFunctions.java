package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Arguments;
import dev.millrace.scheduler.expression.Expression;
import java.util.Optional;

/** Function family {@code path}: Conductor's paths in the dialect {@code millrace}. */
public final class PathFunctions {
    static final String FAMILY = "path";

    private PathFunctions() {}

    /** Returns the expression of a call; empty if the family has no function with this name. */
    public static Optional<Expression> call(String name, Arguments arguments) {
        return switch (name) {
            case "find" -> Optional.of(find(arguments));
            case "value" -> Optional.of(arguments.expression(0));
            case "computed" -> Optional.of(new ComputedPath(arguments.expression(0), arguments.expression(1)));
            case "or_nothing" -> Optional.of(new Blank(arguments.expression(0)));
            default -> Optional.empty();
        };
    }

    private static Expression find(Arguments arguments) {
        try {
            return PathReader.at(arguments.expression(0), arguments.text(1), 0);
        } catch (PathInvalid invalid) {
            throw new IllegalArgumentException(invalid.sentence() + " " + invalid.remedy(), invalid);
        }
    }
}
