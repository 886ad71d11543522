package dev.millrace.scheduler.eventhandler;

import dev.millrace.metrics.Metrics;
import io.prometheus.metrics.core.metrics.Counter;

/** Counts what event handlers do. Thread-safe. */
final class HandlerMetrics {
    private final Counter actions;

    HandlerMetrics(Metrics metrics) {
        actions = metrics.counter(
                "millrace_event_handler_actions_total",
                "Attempts of event handlers to do something with a message; those that are deferred are repeated",
                "action",
                "outcome");
    }

    /** @param action empty if nothing is done */
    void count(String action, String outcome) {
        actions.labelValues(action, outcome).inc();
    }
}
