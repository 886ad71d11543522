package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;

/**
 * The jobs of a run that keep to one worker and share a folder there, as one of them knows it. The first job goes to any worker; the others wait
 * for its end, and then for the worker that ran it.
 *
 * @param id of the group, and of its folder
 * @param route tag under which the job waits instead of its own, see {@link #route}; absent for the first
 */
public record JobGroup(UUID id, Optional<String> route) {
    /** No worker is expected to serve such a tag by itself. */
    private static final String ROUTE = "@";

    private static final String UNDECIDED = ROUTE + "?";

    public JobGroup {
        requireNonNull(id, "id");
        requireNonNull(route, "route");
    }

    /** Whether the job decides which worker runs the others. */
    public boolean isFirst() {
        return route.isEmpty();
    }

    /** The tag of jobs that only this session gets. */
    public static String route(SessionId session, String tag) {
        return ROUTE + session.value() + "/" + tag;
    }

    /** The tag of jobs that wait until the group has a worker: nobody serves it. */
    public static String undecidedRoute(UUID group, String tag) {
        return UNDECIDED + group + "/" + tag;
    }

    /** Whether the job waits until the group has a worker. */
    public boolean isUndecided() {
        return route.filter(tag -> tag.startsWith(UNDECIDED)).isPresent();
    }

    /** Whether jobs of this tag are only for one session. */
    public static boolean isRoute(String tag) {
        return tag.startsWith(ROUTE);
    }

    /** The worker of a group is gone, and with it what the steps before have left in the folder: the group must begin anew. */
    public static JobError folderLost(String worker) {
        return JobError.permanent(
                "SharedFolderLost",
                "Worker \"" + worker
                        + "\" was lost, and with it the folder that the steps of this same_worker group share."
                        + " Retry the run, or give the container of the group a retry: the group then begins again from its"
                        + " first step, with an empty folder.");
    }

    /** The worker of a group takes no jobs like this one. */
    public static JobError notServed(String worker, String tag) {
        return JobError.permanent(
                "SameWorkerTag",
                "Worker \"" + worker + "\" runs the steps of this same_worker group, but takes no jobs of the tag \""
                        + tag + "\". Start workers that serve all tags of the group, or move the step out of it.");
    }
}
