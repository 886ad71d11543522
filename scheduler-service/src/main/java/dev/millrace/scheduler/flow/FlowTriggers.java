package dev.millrace.scheduler.flow;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.List;

/** Keeps the triggers that the files of flows declare. */
public interface FlowTriggers {
    /**
     * What is wrong with the declarations of a flow, by field; empty if they can be deployed.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if the caller may not use what they refer to
     */
    List<FieldViolation> problems(Access by, Workspace workspace, String path, FlowDefinition flow);

    /**
     * Prepares to make the triggers of a flow what its file says. Changes no trigger yet.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if a declaration cannot be read, or if the caller may not use
     *     what it refers to
     */
    Prepared prepare(Access by, Workspace workspace, String path, FlowDefinition flow);

    /**
     * Like {@link #prepare}, to find out what would change: the caller rolls the changes back. Leaves nothing behind.
     */
    FlowTriggerRows plan(Access by, Workspace workspace, String path, FlowDefinition flow);

    /**
     * Changes that wait for the deployment.
     *
     * @param rows makes them in the transaction of the deployment
     * @param committed called after that transaction
     */
    record Prepared(FlowTriggerRows rows, Runnable committed) {
        public Prepared {
            requireNonNull(rows, "rows");
            requireNonNull(committed, "committed");
        }
    }
}
