package dev.millrace.scheduler.expression;

/** What an expression can see while it is evaluated. */
public interface Scope {
    /** The input of the run, defaults filled in. */
    JsonValue inputs();

    /** The result of a step that has ended, in this list or an enclosing one. */
    JsonValue stepResult(String id);

    /** The item of the innermost loop. */
    JsonValue item();

    /** The position of that item, from 0. */
    int index();

    /** Id of the run. */
    String runId();
}
