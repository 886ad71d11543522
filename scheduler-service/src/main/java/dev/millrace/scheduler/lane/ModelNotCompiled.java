package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** Thrown if a flow has to be compiled first, which no lane does: the command is set aside until then. */
final class ModelNotCompiled extends RuntimeException {
    private final transient RunId run;
    private final transient Runnable compilation;

    ModelNotCompiled(RunId run, Runnable compilation) {
        super("the flow of run " + run + " is not compiled", null, false, false);
        this.run = run;
        this.compilation = compilation;
    }

    RunId run() {
        return run;
    }

    /** Compiles the flow, so that the lane finds its model. May block. */
    Runnable compilation() {
        return compilation;
    }
}
