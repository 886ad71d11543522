package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.machine.FlowEvent;

/** A change requested of a flow in progress, which may evaluate expressions. */
public sealed interface Move {
    /** Applies an event of the run. */
    record On(FlowEvent event) implements Move {}

    /** Starts everything that can start. */
    record Reopen() implements Move {}

    /** Evaluates the keys in the flow's options. */
    record Keys() implements Move {}
}
