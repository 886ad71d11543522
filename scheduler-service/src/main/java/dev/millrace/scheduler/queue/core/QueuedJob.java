package dev.millrace.scheduler.queue.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A live job that a worker can run: everything about it but its input.
 *
 * @param kind script or handler
 * @param target hash of the script version, or name of the handler
 * @param name path of the script or name of the handler, for people
 * @param stepKey place in the flow; empty for the root job
 * @param orderKey its place among jobs of its priority, see {@link ClaimOrder}
 * @param attempt number of the current attempt, from 1
 * @param losses of workers that held it
 * @param traceparent W3C trace context; empty for none
 * @param group of jobs that keep to one worker; absent for none
 */
public record QueuedJob(
        JobId id,
        RunId run,
        Workspace workspace,
        JobKind kind,
        String target,
        String name,
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
        requireNonNull(stepKey, "stepKey");
        requireNonNull(options, "options");
        requireNonNull(losses, "losses");
        requireNonNull(traceparent, "traceparent");
        requireNonNull(group, "group");
    }

    /** Of no group. */
    public QueuedJob(
            JobId id,
            RunId run,
            Workspace workspace,
            JobKind kind,
            String target,
            String name,
            String stepKey,
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
                stepKey,
                options,
                orderKey,
                attempt,
                losses,
                traceparent,
                Optional.empty());
    }

    /** The tag under which it waits: its own, one that only the worker of its group serves, or that of the line for its limit. */
    public String queueTag() {
        return group.flatMap(JobGroup::route).or(this::limitTag).orElse(options.tag());
    }

    /** The tag under which it waits in line for its limit; absent where it is under none. */
    public Optional<String> limitTag() {
        return options.limit().map(limit -> limit.tag(workspace));
    }

    /** Whether workers may take it as soon as it is in the queue; other jobs wait in the line of their limit first. */
    public boolean isClaimable() {
        return options.limit().isEmpty();
    }

    /** Whether only the worker that holds the folder of its group may run it. */
    public boolean keepsToWorker() {
        return group.filter(present -> !present.isFirst()).isPresent();
    }

    /**
     * Whether it is under such suspicion of ending its workers that nothing may run beside it: one more lost worker ends the job, so that it must be
     * certain that no other job is to blame.
     *
     * @param lossesMax after this many lost workers the job fails
     */
    public boolean runsAlone(int lossesMax) {
        return losses.begun() > 0 && losses.begun() >= lossesMax - 1;
    }

    /** Whether this is a whole run of its own. */
    public boolean isRoot() {
        return run.rootJob().equals(id);
    }

    /** Its place in the queue. */
    public ClaimOrder order() {
        return new ClaimOrder(options.priority(), orderKey);
    }

    /** The same, of a group of jobs that keep to one worker. */
    public QueuedJob withGroup(JobGroup member) {
        return new QueuedJob(
                id,
                run,
                workspace,
                kind,
                target,
                name,
                stepKey,
                options,
                orderKey,
                attempt,
                losses,
                traceparent,
                Optional.of(member));
    }
}
