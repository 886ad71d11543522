package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.RunId;

/** The flow of a run is to be compiled first, which no lane does: the item is to be set aside until then. */
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

    /** Compiles it, so that the lane finds it. May block. */
    Runnable compilation() {
        return compilation;
    }
}
