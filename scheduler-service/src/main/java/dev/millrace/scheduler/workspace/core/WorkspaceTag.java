package dev.millrace.scheduler.workspace.core;

import dev.millrace.scheduler.queue.core.Workspace;

/**
 * Tags of the jobs of one workspace: `~WORKSPACE/TAG`. Jobs of a workspace wait under such tags if only some workers may
 * take them, so that the index by tag decides who gets a job.
 */
public final class WorkspaceTag {
    private static final String PREFIX = "~";

    private WorkspaceTag() {}

    /** The tag of the workspace for jobs with this tag; a tag of a workspace stays as it is. */
    public static String of(Workspace owner, String tag) {
        String prefix = PREFIX + owner.name() + "/";
        return tag.startsWith(prefix) ? tag : prefix + tag;
    }
}
