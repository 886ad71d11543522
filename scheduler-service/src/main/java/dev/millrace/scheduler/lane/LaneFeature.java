package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.machine.Decision;
import dev.millrace.scheduler.flow.core.machine.FlowEvent;
import dev.millrace.scheduler.flow.core.machine.RunKeys;
import dev.millrace.scheduler.flow.core.machine.StartJob;
import dev.millrace.scheduler.queue.LeasedJob;
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
 * A feature's share of one flush, made anew for each, and called on the lane's thread: it takes part where runs and steps begin, move and end, and says what
 * is to be written for that. Nothing of it may have an effect before {@link #written}, since the flush may fail.
 */
public interface LaneFeature {
    /** Makes the share of one flush. */
    interface Maker {
        LaneFeature join(FlushPlan plan);
    }

    /** What becomes of a run that is about to begin. */
    sealed interface Admission {
        /** It ends with this, and nothing of it runs. */
        record Known(Outcome end) implements Admission {}

        /** It fails. */
        record Failed(JobError error) implements Admission {}

        /** It waits in the queue among those with this key of a limit. */
        record Waits(String limitKey) implements Admission {}
    }

    /**
     * What follows from a decision at once.
     *
     * @param needless jobs that need not run
     * @param events what the flow is told
     */
    record Answers(Set<StepKey> needless, List<FlowEvent> events) {
        public static final Answers NONE = new Answers(Set.of(), List.of());
    }

    /** Reads at once what the commands of the flush need, before the first is planned. */
    default void prefetch(List<LaneCommand> commands) throws DatabaseLost {}

    /** A command has been planned. */
    default void planned() throws DatabaseLost {}

    /** What is known of a run that somebody asks for; the first feature that knows something decides. */
    default Optional<Admission> lookUp(QueuedJob root, String flowHash, RunKeys keys) throws DatabaseLost {
        return Optional.empty();
    }

    /** Whether a run that enters the queue may begin; the first feature that objects decides. */
    default Optional<Admission> admit(QueuedJob root, RunKeys keys) {
        return Optional.empty();
    }

    /** A run enters the queue with a flow that was not there before. */
    default void accepted(LiveFlow flow) {}

    /** A run enters the queue with its flow, or begins there. */
    default void begins(LiveFlow flow) {}

    /** What a decision asks for that is known, or done, at once. */
    default Answers answer(LiveFlow flow, Decision decision) throws DatabaseLost {
        return Answers.NONE;
    }

    /**
     * A decision is carried out; its jobs are not placed yet.
     *
     * @param delay before anything of it begins
     * @param isNew whether the run is accepted in this very flush, so that nothing of it can be in the database
     */
    default void decided(LiveFlow flow, Decision decision, Optional<Duration> delay, boolean isNew)
            throws DatabaseLost {}

    /** A job of a decision is about to be placed; returns it, maybe with more in it. */
    default QueuedJob placing(LiveFlow flow, StartJob start, QueuedJob job) throws DatabaseLost {
        return job;
    }

    /** All jobs of a decision have been placed. */
    default void jobsPlaced(LiveFlow flow) throws DatabaseLost {}

    /** A job enters the queue. */
    default void queued(QueuedJob job) {}

    /** A job goes back to the queue. */
    default void requeued(QueuedJob job) {}

    /** An attempt has ended its job. */
    default void jobEnds(LeasedJob lease, AttemptResult result, String workerName) throws DatabaseLost {}

    /** A step of a flow has ended; the flow does not know yet. */
    default void stepEnds(LiveFlow flow, StepKey step, Outcome outcome) {}

    /** A flow has ended; {@code leavesJobs} where jobs of it were live. */
    default void runEnds(LiveFlow flow, Outcome outcome, boolean leavesJobs) throws DatabaseLost {}

    /** Steps of a flow leave the queue before they have ended. */
    default void stepsLeave(LiveFlow flow) {}

    /** A run ends that has no flow in memory, or has not begun. */
    default void idleRunEnds(RunId run) {}

    /** All is planned: last rows may be added. */
    default void complete() {}

    /** Whether jobs may be claimable after the flush that nobody here knew to wait. */
    default boolean freesJobs() {
        return false;
    }

    /** The flush is durable. */
    default void written(Effects effects) {}
}
