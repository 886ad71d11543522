package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.Leases;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A change of state that a lane makes durable. A command knows its run, its part of a flush, and how to answer its
 * caller. The lane's driver calls all methods except {@link #run}.
 */
public interface LaneCommand {
    /** Name of the error for steps and runs on which Millrace itself failed. */
    String INTERNAL_ERROR = "InternalError";

    /** The run among whose events the command belongs; empty if there is none, or if it is unknown. */
    Optional<RunId> run(Leases leases);

    /** Adds the rows to write for the command. May be called again if the flush fails. */
    void plan(FlushPlan plan) throws DatabaseLost;

    /** Tells the caller why the command will never be carried out. */
    void fail(Throwable cause);

    /** Tells the caller that the database has not answered for long. The command is carried out in any case. */
    default void tellUnavailable(MillraceException unavailable) {}

    /** The run whose flow the command moves for certain. The flows of all commands of a batch are loaded together. */
    default Optional<RunId> movedRun(Leases leases) {
        return Optional.empty();
    }

    /**
     * Whether the command may evaluate an expression. For a flow that is not in memory, that turns out when the command
     * is planned.
     */
    default boolean mayCompute(Optional<LiveFlow> flow) {
        return flow.filter(LiveFlow::mayBlock).isPresent();
    }

    /** New flows of the command that must be prepared before it is planned. */
    default List<Preparation.Part> toBegin(LaneContext context) {
        return List.of();
    }

    /** The move of the flow, if it is known before the command is planned. */
    default Optional<Move> knownMove(LaneContext context) {
        return Optional.empty();
    }

    /**
     * The command that accepts the same runs without their first decisions; empty if the command accepts no runs, or
     * does so already. Takes the place of the command if a first decision evaluates expressions.
     */
    default Optional<LaneCommand> undecided() {
        return Optional.empty();
    }

    /** The command to admit after its preparation was canceled; empty if this command has answered its sender. */
    default Optional<LaneCommand> afterCanceledPreparation() {
        return Optional.of(this);
    }

    /** Hash of the flow that the command does nothing but submit a run of; empty for any other command. */
    default Optional<String> submitted() {
        return Optional.empty();
    }

    /** Whether the command ends its run, so that a preparation in progress is useless. */
    default boolean isUrgent() {
        return false;
    }

    /** Whether the sender of the command finds it again in the database until it is done. */
    default boolean isFoundAgain() {
        return false;
    }

    /**
     * Notes that the command waits for a preparation, or behind one. A sender that goes through due commands must not
     * wait for this one, and will find it again until it is done.
     */
    default void putOff() {}

    /** Whether the command means the same as another command of its run, so that one of them suffices. */
    default boolean repeats(LaneCommand other) {
        return false;
    }

    /** Whether the command turns out to be committed; if so, it answers its caller. Called after a lost connection. */
    default boolean isDone(LaneStore store) throws DatabaseLost {
        return false;
    }

    /** The command to try next after a rejected flush; empty if this command has answered its caller. */
    default Optional<LaneCommand> afterRefusal(FlushRefused refused, LaneStore store, LaneContext context)
            throws DatabaseLost {
        return Optional.of(this);
    }

    /** The command to carry out instead after a defect of Millrace; empty if there is none. */
    default Optional<LaneCommand> afterBug(Throwable bug) {
        return Optional.empty();
    }

    /**
     * Gives up for now: fails the command, or offers it to the lane again later.
     *
     * @param lane accepts commands on any thread
     */
    default void giveUp(Throwable cause, Consumer<LaneCommand> lane) {
        fail(cause);
    }

    /** Memory reserved for the command, in bytes. The lane releases it once it is done with the command. */
    default long reservedBytes() {
        return 0;
    }

    /** The error of a step on which Millrace failed. */
    static JobError internalError(Throwable bug) {
        return JobError.permanent(INTERNAL_ERROR, "Millrace failed on this step: " + bug);
    }
}
