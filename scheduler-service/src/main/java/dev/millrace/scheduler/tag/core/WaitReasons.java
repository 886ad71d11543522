package dev.millrace.scheduler.tag.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides why the jobs of a tag wait. */
public final class WaitReasons {
    private WaitReasons() {}

    /**
     * Why jobs wait, and what helps, in full sentences; the strongest reason first.
     *
     * @param waiting number of jobs that wait for a worker
     * @param running number of jobs that workers have got
     */
    public static List<String> of(String tag, int waiting, int running, TagWorkers workers, Optional<TagPause> pause) {
        List<String> reasons = new ArrayList<>();
        if (waiting == 0) {
            return reasons;
        }
        pause.map(TagPause::text).ifPresent(reasons::add);
        if (workers.slots() == 0 && !workers.absent().isEmpty()) {
            reasons.add(workers.absent().text("All connected workers that take jobs with this tag"));
        } else if (workers.slots() == 0) {
            reasons.add("No connected worker takes jobs with this tag. "
                    + Programs.howToServe(tag, "correct the steps and run their flows again"));
        } else if (reasons.isEmpty()) {
            reasons.add(slots(running, workers));
        }
        if (workers.slots() > 0 && !workers.absent().isEmpty()) {
            reasons.add(workers.absent().text("Some workers"));
        }
        return reasons;
    }

    private static String slots(int running, TagWorkers workers) {
        String slots = workers.slots() == 1 ? "The only slot" : "All " + workers.slots() + " slots";
        return running >= workers.slots()
                ? slots + " of the workers that take this tag " + (workers.slots() == 1 ? "is" : "are")
                        + " in use. More workers or slots make the queue shorter."
                : running + " of " + workers.slots() + " slots of workers that take this tag have one of its jobs."
                        + " Jobs of other tags may use the others, or jobs are just on their way.";
    }
}
