package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** A flow was asked for another move than the one that was prepared: its state is ahead, and is to be folded anew. */
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
