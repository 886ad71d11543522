package dev.millrace.scheduler.flow.core.graph;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What tasks take that ask for nothing else.
 *
 * @param timeout longest time one attempt may run
 */
public record Defaults(Duration timeout) {
    public Defaults {
        requireNonNull(timeout, "timeout");
    }
}
