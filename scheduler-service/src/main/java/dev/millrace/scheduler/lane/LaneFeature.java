package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.queue.LeasedJob;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.core.AttemptDecision.Requeue;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.queue.core.QueuedJob;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A feature's part in one flush. It is created for each flush. The lane's driver calls it when runs and steps begin,
 * move and end, and it adds the rows to write. It must have no effect outside the plan before {@link #written}, because
 * the flush may fail.
 */
public interface LaneFeature {
    /** Creates a feature's part in one flush. */
    interface Maker {
        LaneFeature join(FlushPlan plan);
    }

    /** Decision about a run that is about to begin. */
    sealed interface Admission {
        /** The run ends with a known outcome, and nothing of it is executed. */
        record Known(Outcome end) implements Admission {}

        /** The run fails. */
        record Failed(JobError error) implements Admission {}

        /** The run waits for its admission, in the queue with this key. */
        record Waits(String admissionQueue) implements Admission {}
    }

    /**
     * Immediate answers to a decision.
     *
     * @param needless jobs that need not run
     * @param events events to apply to the flow
     */
    record Answers(Set<StepKey> needless, List<FlowEvent> events) {
        public static final Answers NONE = new Answers(Set.of(), List.of());
    }

    /** Reads what the commands of the flush need in one round trip, before the first is planned. */
    default void prefetch(List<LaneCommand> commands) throws DatabaseLost {}

    /** Called after each command was planned. */
    default void planned() throws DatabaseLost {}

    /** A run is submitted. If it is a run of a flow, the flow has not begun. */
    default void submitted(NewRun run) {}

    /**
     * Decides about a requested run by what the feature knows of it. The first feature that returns a decision
     * prevails.
     */
    default Optional<Admission> lookUp(QueuedJob root, String flowHash, RunKeys keys) throws DatabaseLost {
        return Optional.empty();
    }

    /** Whether a run that enters the queue may begin; empty means yes. The first feature that objects decides. */
    default Optional<Admission> admit(QueuedJob root, RunKeys keys) {
        return Optional.empty();
    }

    /** A run with a new flow enters the queue. */
    default void accepted(LiveFlow flow) {}

    /** A run enters the queue with its flow, or a pending run begins. */
    default void begins(LiveFlow flow) {}

    /** Answers requests of a decision whose results are known at once. */
    default Answers answer(LiveFlow flow, Decision decision) throws DatabaseLost {
        return Answers.NONE;
    }

    /**
     * A decision is carried out; its jobs have not been placed yet.
     *
     * @param delay delay before anything of the decision begins
     * @param isNew whether this flush accepts the run, so that the database has no rows of it
     */
    default void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew)
            throws DatabaseLost {}

    /** A job of a decision is about to be placed. Returns the job, possibly with additions. */
    default QueuedJob placing(LiveFlow flow, StartJob start, QueuedJob job) throws DatabaseLost {
        return job;
    }

    /** All jobs of a decision have been placed. */
    default void jobsPlaced(LiveFlow flow) throws DatabaseLost {}

    /** A job enters the queue. */
    default void queued(QueuedJob job) {}

    /**
     * A job returns to the queue.
     *
     * @param job the job as it was leased
     * @param runMicros duration of the attempt in microseconds; negative if it never began or its worker was lost
     * @param workerName name of the worker that had the job
     */
    default void requeued(QueuedJob job, Requeue requeue, long runMicros, String workerName) {}

    /** An attempt has ended its job. */
    default void jobEnds(LeasedJob lease, AttemptResult result, String workerName) throws DatabaseLost {}

    /** A step of a flow has ended; its flow has not been moved yet. */
    default void stepEnds(LiveFlow flow, StepKey step, Outcome outcome) {}

    /** A flow has ended; {@code leavesJobs} tells whether jobs of it were live. */
    default void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) throws DatabaseLost {}

    /** Steps of a flow leave the queue without having ended. */
    default void stepsLeave(LiveFlow flow) {}

    /** A run ends that has no flow in memory, or has not begun. */
    default void idleRunEnds(RunId run) {}

    /** All commands are planned; the feature may add its last rows. */
    default void complete() {}

    /** Whether the flush may make jobs claimable that this scheduler did not know to be waiting. */
    default boolean freesJobs() {
        return false;
    }

    /** The flush is durable. */
    default void written(Effects effects) {}
}
