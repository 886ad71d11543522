package dev.millrace.scheduler.workspace.core;

import dev.millrace.scheduler.queue.core.Workspace;
import java.util.Optional;

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

    /** The workspace that has the tag; empty for a tag of all. */
    public static Optional<Workspace> ownerOf(String tag) {
        int end = tag.indexOf('/');
        return tag.startsWith(PREFIX) && end > 0
                ? Optional.of(Workspace.of(tag.substring(PREFIX.length(), end)))
                : Optional.empty();
    }
}
