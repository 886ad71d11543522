package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.graph.ListWalk;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;

/**
 * Decides who may deploy a flow whose limits hold for the whole workspace: its jobs can make those of other folders
 * wait. A version never changes, so its runs need no check of their own.
 */
public final class LimitRights {
    private LimitRights() {}

    /** Fails unless the caller may use the limits of the flow. */
    public static void require(Access access, Workspace workspace, FlowDefinition definition) {
        if (!access.allows(Role.DEVELOPER, workspace, Folder.NONE)) {
            ListWalk.through(definition, (list, _) -> {
                for (Step step : list.steps()) {
                    if (step.action() instanceof StepAction.Task task
                            && task.options()
                                    .limit()
                                    .filter(TaskOptions.Limit::isOfWorkspace)
                                    .isPresent()) {
                        access.require(Role.DEVELOPER, workspace, Folder.NONE);
                    }
                }
            });
        }
    }
}
