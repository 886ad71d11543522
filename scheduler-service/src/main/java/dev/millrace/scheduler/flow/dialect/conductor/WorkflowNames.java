package dev.millrace.scheduler.flow.dialect.conductor;

/** Makes paths of flows from names of workflows. */
final class WorkflowNames {
    private WorkflowNames() {}

    /** The name, with {@code _} for whatever a path cannot hold. */
    static String path(String name) {
        return name.strip().replaceAll("[^A-Za-z0-9_-]", "_");
    }
}
