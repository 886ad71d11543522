package dev.millrace.scheduler.postgres;

import static java.util.Objects.requireNonNull;

/**
 * A resource that does not say how to reach a database.
 *
 * @param problem why, as a clause without any value that may be secret
 */
record Unusable(String problem) implements Reading {
    Unusable {
        requireNonNull(problem, "problem");
    }
}
