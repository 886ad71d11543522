package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The effects of a durable flush on others, gathered from all features, so that {@link PostCommit} announces them in
 * one order.
 */
public final class Effects {
    private final Set<JobId> endedJobs = new HashSet<>();
    private final List<CancelJobsStatement.Canceled> heldByWorkers = new ArrayList<>();
    private final Set<String> freedTags = new HashSet<>();
    private final Set<String> limitTags = new HashSet<>();
    private final Set<RunId> changed = new HashSet<>();

    /** Jobs have left the queue without a result from a worker. */
    void endLeases(Collection<JobId> jobs, List<CancelJobsStatement.Canceled> held, Set<String> tags) {
        endedJobs.addAll(jobs);
        heldByWorkers.addAll(held);
        limitTags.addAll(tags);
    }

    public void endLeases(EndedLeases ended) {
        endLeases(ended.jobs(), ended.heldByWorkers(), ended.limitTags());
    }

    /** Jobs with these tags have become claimable. */
    public void freeTags(Collection<String> tags) {
        freedTags.addAll(tags);
    }

    /** Queues of the limits with these tags may advance, or have grown. */
    public void limitsChanged(Collection<String> tags) {
        limitTags.addAll(tags);
    }

    /** Something that callers see of the run has changed. */
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
