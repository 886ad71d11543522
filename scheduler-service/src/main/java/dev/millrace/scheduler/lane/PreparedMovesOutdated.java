package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** Thrown if a flow is asked for another move than the prepared one. Its state is ahead and has to be folded again. */
final class PreparedMovesOutdated extends RuntimeException {
    private final transient RunId run;

    PreparedMovesOutdated(RunId run) {
        super("what was prepared of run " + run + " is not what followed", null, false, false);
        this.run = run;
    }

    RunId run() {
        return run;
    }
}
