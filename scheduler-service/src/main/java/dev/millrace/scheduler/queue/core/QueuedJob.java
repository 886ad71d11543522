package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A live job that a worker can run, without its input.
 *
 * @param kind script or handler
 * @param target hash of the script version, or name of the handler
 * @param name path of the script or name of the handler, for people
 * @param folder folder for which the job acts: that of its run's name, or {@link Folder#NONE}. Nothing that a job leaves
 *     behind, and no name that it gives, reaches jobs of another folder.
 * @param stepKey key of the step in its flow; empty for the root job
 * @param orderKey place among jobs of the same priority, see {@link ClaimOrder}
 * @param attempt number of the current attempt, from 1
 * @param losses counts the lost workers that held the job
 * @param traceparent W3C trace context: the {@code traceparent}, then a blank and the {@code tracestate} if there is
 *     one; empty for none
 * @param group affinity group of the job; absent for none
 */
public record QueuedJob(
        JobId id,
        RunId run,
        Workspace workspace,
        JobKind kind,
        String target,
        String name,
        String folder,
        String stepKey,
        JobOptions options,
        long orderKey,
        int attempt,
        Losses losses,
        String traceparent,
        Optional<JobGroup> group) {
    public QueuedJob {
        requireNonNull(id, "id");
        requireNonNull(run, "run");
        requireNonNull(workspace, "workspace");
        requireNonNull(kind, "kind");
        requireNonNull(target, "target");
        requireNonNull(name, "name");
        requireNonNull(folder, "folder");
        requireNonNull(stepKey, "stepKey");
        requireNonNull(options, "options");
        requireNonNull(losses, "losses");
        requireNonNull(traceparent, "traceparent");
        requireNonNull(group, "group");
    }

    /** Creates a root job. */
    public QueuedJob(
            JobId id,
            RunId run,
            Workspace workspace,
            JobKind kind,
            String target,
            String name,
            JobOptions options,
            long orderKey,
            int attempt,
            Losses losses,
            String traceparent) {
        this(
                id,
                run,
                workspace,
                kind,
                target,
                name,
                Folder.of(name),
                "",
                options,
                orderKey,
                attempt,
                losses,
                traceparent,
                Optional.empty());
    }

    /**
     * Returns the tag under which the job waits. This is the route of its group, the tag of its limit, or the job's own
     * tag.
     */
    public String queueTag() {
        // Most jobs have neither group nor limit. A lane reads their tags often, so this creates no objects.
        if (group.isEmpty() && isClaimable()) {
            return options.tag();
        }
        return group.flatMap(JobGroup::route).or(this::limitTag).orElse(options.tag());
    }

    /** Returns the tag under which the job waits for its limit; empty if it has none. */
    public Optional<String> limitTag() {
        return options.limit().map(limit -> limit.tag(workspace, folder));
    }

    /**
     * Returns whether workers may claim the job as soon as it is in the queue. Other jobs first wait in the queue of
     * their limit.
     */
    public boolean isClaimable() {
        return options.limit().isEmpty();
    }

    /** Returns whether only the worker that holds the folder of the job's group may run the job. */
    public boolean keepsToWorker() {
        return group.filter(present -> !present.isFirst()).isPresent();
    }

    /**
     * Returns whether the job must run alone on its worker. One more lost worker would fail the job, so it must be
     * certain that no other job is to blame.
     *
     * @param lossesMax number of lost workers after which the job fails
     */
    public boolean runsAlone(int lossesMax) {
        return losses.begun() > 0 && losses.begun() >= lossesMax - 1;
    }

    /** Returns whether the job is the root of its run. */
    public boolean isRoot() {
        return run.rootJob().equals(id);
    }

    /** Returns the place of the job in the queue. */
    public ClaimOrder order() {
        return new ClaimOrder(options.priority(), orderKey);
    }

    /** Returns this job with another tag. */
    public QueuedJob withTag(String tag) {
        return new QueuedJob(
                id,
                run,
                workspace,
                kind,
                target,
                name,
                folder,
                stepKey,
                options.withTag(tag),
                orderKey,
                attempt,
                losses,
                traceparent,
                group);
    }

    /** Returns this job as a member of an affinity group. */
    public QueuedJob withGroup(JobGroup member) {
        return new QueuedJob(
                id,
                run,
                workspace,
                kind,
                target,
                name,
                folder,
                stepKey,
                options,
                orderKey,
                attempt,
                losses,
                traceparent,
                Optional.of(member));
    }
}
