package dev.millrace.scheduler.expression.jsonpath;

import dev.millrace.scheduler.expression.Expression;
import java.util.Optional;

/** Resolver of the first two names of a path, provided by a dialect. */
@FunctionalInterface
public interface References {
    /**
     * Resolves two names, for example {@code workflow}, {@code input} of <code>${workflow.input.x}</code> or
     * {@code fetch}, {@code output} of <code>${fetch.output.body}</code>.
     *
     * @param holder the first name: {@code workflow}, or the reference name of a task
     * @param member the second name; empty in a path of one name
     * @return empty if the names are unknown, so that the value is null
     */
    Optional<Expression> find(String holder, String member);

    /** Resolves a path as a whole; empty if its first two names are to be resolved, and the rest applied to them. */
    default Optional<Expression> findWhole(String path) {
        return Optional.empty();
    }
}
