package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;

/**
 * The affinity group of a job: jobs of a run that share a worker and a folder there. The first job may run on any
 * worker. The others wait for its end, and then for the worker that ran it.
 *
 * @param id of the group, and of its folder
 * @param route tag under which the job waits in place of its own, see {@link #route}; absent for the first job
 */
public record JobGroup(UUID id, Optional<String> route) {
    /** Prefix of the tags of reserved jobs. Workers are not expected to serve such tags themselves. */
    private static final String ROUTE = "@";

    private static final String UNDECIDED = ROUTE + "?";

    public JobGroup {
        requireNonNull(id, "id");
        requireNonNull(route, "route");
    }

    /** Returns whether this job decides which worker runs the others. */
    public boolean isFirst() {
        return route.isEmpty();
    }

    /** Returns the tag of jobs that only one session may claim. */
    public static String route(SessionId session, String tag) {
        return ROUTE + session.value() + "/" + tag;
    }

    /** Returns the tag of jobs that wait until the group has a worker. No session serves it. */
    public static String undecidedRoute(UUID group, String tag) {
        return UNDECIDED + group + "/" + tag;
    }

    /** Returns whether the job waits until the group has a worker. */
    public boolean isUndecided() {
        return route.filter(tag -> tag.startsWith(UNDECIDED)).isPresent();
    }

    /** Returns whether jobs with this tag are reserved for a session or a group. */
    public static boolean isRoute(String tag) {
        return tag.startsWith(ROUTE);
    }

    /**
     * The error of jobs whose group has lost its worker, and with it the files that earlier steps have left in the
     * folder. The group must begin again.
     */
    public static JobError folderLost(String worker) {
        return JobError.permanent(
                "SharedFolderLost",
                "Worker \"" + worker
                        + "\" was lost, and with it the folder that the steps of this same_worker group share."
                        + " Retry the run, or give the container of the group a retry: the group then begins again from its"
                        + " first step, with an empty folder.");
    }

    /** The error of a job whose tag the worker of its group does not serve. */
    public static JobError notServed(String worker, String tag) {
        return JobError.permanent(
                "SameWorkerTag",
                "Worker \"" + worker + "\" runs the steps of this same_worker group, but takes no jobs of the tag \""
                        + tag + "\". Start workers that serve all tags of the group, or move the step out of it.");
    }
}
