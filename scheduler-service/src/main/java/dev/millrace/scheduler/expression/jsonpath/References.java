package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Expression;
import java.util.Optional;

/** What the first two names of a path stand for; a dialect says so. */
@FunctionalInterface
public interface References {
    /**
     * For example {@code workflow}, {@code input} of <code>${workflow.input.x}</code> and {@code fetch}, {@code output} of <code>${fetch.output.body}</code>.
     *
     * @param holder the first name: {@code workflow}, or the reference name of a task
     * @param member the second name; empty in a path of one name
     * @return nothing for what does not exist: its value is null
     */
    Optional<Expression> find(String holder, String member);
}
