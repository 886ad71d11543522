package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Something that changes state, for a lane to make durable. It knows its run, what it does to a flush, and how whoever waits for it is told. All but
 * {@link #run} is called on the thread that drives the lane.
 */
public interface LaneCommand {
    /** Why something fails on which Millrace itself does. */
    String INTERNAL_ERROR = "InternalError";

    /** The run whose events it stands among; empty where it stands among none, or that is not known. */
    Optional<RunId> run(Leases leases);

    /** Says what is to be written for it. May be called again where the flush fails. */
    void plan(FlushPlan plan) throws DatabaseLost;

    /** Nothing of it will happen: whoever waits for it is told why. */
    void fail(Throwable cause);

    /** The database does not answer for long: whoever waits for it is told so. It is done all the same. */
    default void tellUnavailable(MillraceException unavailable) {}

    /** The run whose flow it moves for certain, to be read together with those of other commands. */
    default Optional<RunId> movedRun(Leases leases) {
        return Optional.empty();
    }

    /** Whether it may meet an expression; a flow that is not in memory shows it when it is planned. */
    default boolean mayCompute(Optional<LiveFlow> flow) {
        return flow.filter(LiveFlow::mayBlock).isPresent();
    }

    /** The flows that it makes and that are to be prepared before it is planned. */
    default List<Preparation.Part> toBegin(LaneContext context) {
        return List.of();
    }

    /** What it asks of its flow, where that is known before it is planned. */
    default Optional<Move> knownMove(LaneContext context) {
        return Optional.empty();
    }

    /** Whether its run is to end now, so that what that is about to work out is of no use. */
    default boolean isUrgent() {
        return false;
    }

    /** Whether whoever brought it finds it again until it is done. */
    default boolean isFoundAgain() {
        return false;
    }

    /**
     * It waits for values, or behind others that do. Whoever goes through what is due must not wait with it, and need not: what is due is found
     * again until it is done.
     */
    default void putOff() {}

    /** Whether it says the same as another command of its run, so that one of them is enough. */
    default boolean repeats(LaneCommand other) {
        return false;
    }

    /** Whether it is found done, and has been answered. Asked where it may have been done already: the connection was lost. */
    default boolean isDone(LaneStore store) throws DatabaseLost {
        return false;
    }

    /** What to try next after a refusal; empty where it has been answered. */
    default Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context)
            throws DatabaseLost {
        return Optional.of(this);
    }

    /** What is to be done instead where Millrace failed on it; empty where nothing is. */
    default Optional<LaneCommand> afterBug(Throwable bug) {
        return Optional.empty();
    }

    /**
     * It cannot be done now; whoever waits for it is told, or it is done later.
     *
     * @param lane takes commands, from any thread
     */
    default void giveUp(Throwable cause, Consumer<LaneCommand> lane) {
        fail(cause);
    }

    /** Bytes of memory that were reserved for it, and that the lane gives back once it is done with it. */
    default long reservedBytes() {
        return 0;
    }

    /** The error of a step on which Millrace failed. */
    static JobError internalError(Throwable bug) {
        return JobError.permanent(INTERNAL_ERROR, "Millrace failed on this step: " + bug);
    }
}
