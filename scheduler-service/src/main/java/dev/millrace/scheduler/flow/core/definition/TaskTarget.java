package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.Template;

/** The script or handler that a task runs. */
public sealed interface TaskTarget {
    /** A script by its path in the definition. */
    record ScriptPath(String path) implements TaskTarget {}

    /** A handler inside a worker. */
    record HandlerName(String name) implements TaskTarget {}

    /**
     * A handler or script whose name is computed when the step begins: {@code handler:NAME}, or the path of a script of
     * the flow.
     */
    record Computed(Template name) implements TaskTarget {}
}
