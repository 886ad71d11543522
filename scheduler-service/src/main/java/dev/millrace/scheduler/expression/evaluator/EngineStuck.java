package dev.millrace.scheduler.expression.evaluator;

/** A program runs on although it was told to stop: only the end of its process ends it. */
public final class EngineStuck extends RuntimeException {
    public EngineStuck(String what) {
        super(what, null, false, false);
    }
}
