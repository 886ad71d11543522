package dev.millrace.scheduler.expression.javascript;

import dev.millrace.scheduler.expression.Expression;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Definition of a name that a script can read. Only those parts that the text of the script reads are evaluated, and
 * each execution of the script gets its own copies.
 */
public sealed interface Binding {
    /** The value of an expression. A member that the value lacks is {@code undefined}. */
    record Value(Expression expression) implements Binding {}

    /**
     * An object whose members are bound one by one.
     *
     * @param base object with further members, such as the inputs of the flow, which {@code members} override
     */
    record Members(Optional<Expression> base, Map<String, Binding> members) implements Binding {
        public Members {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** An object without further members. */
        public Members(Map<String, Binding> members) {
            this(Optional.empty(), members);
        }
    }

    /** An object with steps by id: {@code steps.ID.result}. A step that has not ended is {@code undefined}. */
    record Steps() implements Binding {}

    /**
     * An object with results by the id of the step: {@code results.ID}. The result of a step that has not ended is
     * {@code undefined}.
     */
    record StepResults() implements Binding {}
}
