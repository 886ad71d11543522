package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.machine.FlowEvent;

/** Something a flow in progress is asked to work out, which may evaluate expressions. */
sealed interface Move {
    /** An event of its run. */
    record On(FlowEvent event) implements Move {}

    /** Whatever can begin begins. */
    record Reopen() implements Move {}

    /** The keys of its limit and its cache. */
    record Keys() implements Move {}
}
