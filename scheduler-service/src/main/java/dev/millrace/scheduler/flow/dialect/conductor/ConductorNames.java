package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;

/** Names of Conductor in Millrace, for those who read other things of Conductor than definitions of workflows. */
public final class ConductorNames {
    private ConductorNames() {}

    /**
     * Path of the flow that stands for a workflow.
     *
     * @param version a whole number, also as a text; null and 0 select the version that was deployed last
     * @throws dev.millrace.scheduler.expression.EvaluationFailed if the version is no whole number
     */
    public static String flowPath(String name, JsonValue version) {
        return WorkflowNames.path(name, version);
    }
}
