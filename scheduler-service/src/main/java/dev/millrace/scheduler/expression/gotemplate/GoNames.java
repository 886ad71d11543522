package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Expression;
import java.util.Optional;

/** Resolver of the names in a text, provided by a dialect. */
public interface GoNames {
    /** Resolves <code>{{name}}</code>; empty if the flow has no such variable. */
    Optional<Expression> variable(String name);

    /** Resolves the field <code>{{.name}}</code> of the data, such as {@code vars} or {@code shareData}. */
    Optional<Expression> field(String name);
}
