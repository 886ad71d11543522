package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Collection;

/**
 * Decides which secrets and resources somebody may let a flow use. A flow may use those of its own folder and those of
 * no folder. For any other, whoever deploys the flow needs the role developer in that folder, and so does whoever runs
 * a version by its hash. Runs then need no check of their own, because a version never changes.
 */
public final class ReferenceRights {
    private ReferenceRights() {}

    /**
     * Fails unless the caller may let the flow use all of these.
     *
     * @param flow path of the flow, or the name of a run of it
     */
    public static void require(Access access, Workspace workspace, String flow, Collection<Root.Reference> references) {
        for (Root.Reference reference : references) {
            String folder = Folder.of(reference.path());
            boolean isOwn = folder.equals(Folder.NONE) || folder.equals(Folder.of(flow));
            if (!isOwn && !access.allows(Role.DEVELOPER, workspace, reference.path())) {
                throw new MillraceException(
                        ErrorCode.PERMISSION_DENIED,
                        "The flow \"" + flow + "\" refers to " + reference + ", and " + access.name()
                                + " has not the role developer in folder " + folder + " of workspace " + workspace
                                + ": ask an admin of the workspace for it, or use a secret of the flow's own folder.");
            }
        }
    }
}
