package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a flush that is durable has changed for others, gathered from all features, so that {@link PostCommit} tells it in one order. */
public final class Effects {
    private final Set<JobId> endedJobs = new HashSet<>();
    private final List<CancelJobsStatement.Canceled> heldByWorkers = new ArrayList<>();
    private final Set<String> freedTags = new HashSet<>();
    private final Set<String> limitTags = new HashSet<>();
    private final Set<RunId> changed = new HashSet<>();

    /** Jobs have left the queue though nobody handed in a result. */
    void endLeases(Collection<JobId> jobs, List<CancelJobsStatement.Canceled> held, Set<String> tags) {
        endedJobs.addAll(jobs);
        heldByWorkers.addAll(held);
        limitTags.addAll(tags);
    }

    public void endLeases(EndedLeases ended) {
        endLeases(ended.jobs(), ended.heldByWorkers(), ended.limitTags());
    }

    /** Jobs of these tags may be claimed that could not before. */
    public void freeTags(Collection<String> tags) {
        freedTags.addAll(tags);
    }

    /** Lines for limits with these tags may go on, or have grown. */
    public void limitsChanged(Collection<String> tags) {
        limitTags.addAll(tags);
    }

    /** What is shown of the run has changed. */
    public void changed(RunId run) {
        changed.add(run);
    }

    Set<JobId> endedJobs() {
        return endedJobs;
    }

    List<CancelJobsStatement.Canceled> heldByWorkers() {
        return heldByWorkers;
    }

    Set<String> freedTags() {
        return freedTags;
    }

    Set<String> limitTags() {
        return limitTags;
    }

    Set<RunId> changed() {
        return changed;
    }
}
