package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a name stands for in a script. Only what the script's text reads is worked out, and each run of it sees copies of its own. */
public sealed interface Binding {
    /** The value of an expression; {@code undefined} where it is null and the script asks for a member of it that is not there. */
    record Value(Expression expression) implements Binding {}

    /**
     * An object whose members are bound one by one.
     *
     * @param base an object whose members it has, too, such as the inputs of the flow; its own members win
     */
    record Members(Optional<Expression> base, Map<String, Binding> members) implements Binding {
        public Members {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** An object of just these members. */
        public Members(Map<String, Binding> members) {
            this(Optional.empty(), members);
        }
    }

    /** An object of steps by their ids: {@code steps.ID.result}. A step that has not ended is {@code undefined}. */
    record Steps() implements Binding {}

    /** An object of results by the ids of their steps: {@code results.ID}. The result of a step that has not ended is {@code undefined}. */
    record StepResults() implements Binding {}
}
