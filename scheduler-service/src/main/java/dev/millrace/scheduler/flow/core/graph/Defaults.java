package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Options of tasks that state none themselves.
 *
 * @param timeout longest time that one attempt may run
 */
public record Defaults(Duration timeout) {
    public Defaults {
        requireNonNull(timeout, "timeout");
    }
}
