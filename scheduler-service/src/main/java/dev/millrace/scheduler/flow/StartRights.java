package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;

/**
 * Decides which flows somebody may let a flow start as runs of their own. Whoever deploys the flow needs the role runner
 * in the folder of each flow that it may start, and so does whoever runs a version by its hash. If the definition does
 * not tell the folder, the role in the whole workspace is needed. Runs then need no check of their own, because a
 * version never changes.
 */
public final class StartRights {
    private StartRights() {}

    /**
     * Fails unless the caller may let the flow start whatever it may start.
     *
     * @param flow path of the flow, or the name of a run of it
     */
    public static void require(Access access, Workspace workspace, String flow, FlowDefinition definition) {
        if (!access.allows(Role.RUNNER, workspace, Folder.NONE)) {
            StartedFlow.of(definition).forEach(started -> require(access, workspace, flow, started));
        }
    }

    private static void require(Access access, Workspace workspace, String flow, StartedFlow started) {
        switch (started) {
            case StartedFlow.AtPath(String path) ->
                require(access, workspace, flow, Folder.of(path), "starts the flow " + path);
            case StartedFlow.InFolder(String folder) ->
                require(access, workspace, flow, folder, "starts flows of the folder " + folder);
            case StartedFlow.Anywhere() ->
                require(
                        access,
                        workspace,
                        flow,
                        Folder.NONE,
                        "computes which flow it starts, without the folder of that flow as plain text");
        }
    }

    private static void require(Access access, Workspace workspace, String flow, String folder, String what) {
        if (access.rights().allows(Role.RUNNER, workspace, folder)) {
            return;
        }
        String where = folder.equals(Folder.NONE) ? "the whole workspace " : "folder " + folder + " of workspace ";
        throw new MillraceException(
                ErrorCode.PERMISSION_DENIED,
                "The flow \"" + flow + "\" " + what + ", and " + access.name() + " has not the role runner in " + where
                        + workspace + ": ask an admin of the workspace for it, or start a flow of a folder in which you"
                        + " have the role.");
    }
}
