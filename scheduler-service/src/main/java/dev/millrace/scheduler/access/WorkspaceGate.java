package dev.millrace.scheduler.access;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;

/**
 * What a request needs to know about its workspace. Answers come from memory; only a name that is unknown there may cost
 * a look at the database.
 */
public interface WorkspaceGate {
    /** Key of the workspace with this name, or with this former name or key. Returns the text itself if there is none. */
    String keyOf(String name);

    /** Present name of the workspace with this key. Returns the text itself if there is none. */
    String nameOf(String key);

    /** Whether a workspace has a name other than its key, so that messages must be translated. */
    boolean translates();

    /**
     * Fails unless the workspace exists and serves the request.
     *
     * @param isInArchived whether archived workspaces serve the request
     */
    void require(Workspace workspace, boolean isInArchived, Access access);

    /** The refusal of a caller who has no role in the workspace, whether or not there is one. */
    MillraceException notFound(Workspace workspace, Access access);
}
