package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Expression;
import java.util.Optional;

/** What the names in a text stand for; a dialect says so. */
public interface GoNames {
    /** The value of <code>{{name}}</code>; nothing where the flow has no such variable. */
    Optional<Expression> variable(String name);

    /** The value of the field <code>{{.name}}</code> of the data, such as {@code vars} and {@code shareData}. */
    Optional<Expression> field(String name);
}
