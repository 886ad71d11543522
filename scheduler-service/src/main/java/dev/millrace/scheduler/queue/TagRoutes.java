package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.Workspace;

/** Decides under which tags jobs wait. */
@FunctionalInterface
public interface TagRoutes {
    /** All jobs wait under the tags that they ask for. */
    TagRoutes PLAIN = (_, tag) -> tag;

    /**
     * The tag under which a job of the workspace waits that asks for this tag. A tag that was returned before is returned
     * again.
     */
    String route(Workspace workspace, String tag);
}
