package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.StoredReads;
import dev.millrace.scheduler.expression.evaluator.EvaluationOwner;
import dev.millrace.scheduler.expression.evaluator.EvaluatorStopped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Prepares moves of flows ahead of their lane, or compiles a flow, on a thread of its own, where evaluations and large
 * results may take time. That thread owns the flows until it reports to the lane.
 */
public final class Preparation {
    /** Moves to prepare of one flow. */
    public record Part(LiveFlow flow, Moves moves) {}

    /** The moves for which a flow is prepared. */
    public sealed interface Moves {
        /** The given moves. */
        record Given(List<Move> moves) implements Moves {}

        /** The moves with which a run begins that is about to be accepted, provided that they evaluate nothing. */
        record ToAccept() implements Moves {}

        /** The moves with which an accepted run begins. */
        record ToBegin() implements Moves {}
    }

    /** Time after which a preparation is repeated that the database has failed. */
    static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(250);

    private final List<Part> parts;
    private final boolean fresh;
    private final boolean alone;
    private final Runnable work;
    private final Consumer<Preparation> done;
    private volatile boolean canceled;
    /** The thread that prepares; null before and after. */
    private @Nullable Thread worker;

    private volatile @Nullable Throwable failure;

    /**
     * Prepares flows that no other thread uses.
     *
     * @param fresh whether the flows are new flows of their commands, which no lane remembers
     * @param alone whether the command has to be planned alone, as it may meet further moves
     * @param largeReads permits for preparations that read large results
     * @param done called at the end, whatever the outcome
     */
    Preparation(List<Part> parts, boolean fresh, boolean alone, Semaphore largeReads, Consumer<Preparation> done) {
        this.parts = List.copyOf(parts);
        this.fresh = fresh;
        this.alone = alone;
        this.work = () -> prepareParts(largeReads);
        this.done = done;
    }

    /**
     * Compiles a flow that a command needs before it can be planned.
     *
     * @param done called at the end, whatever the outcome
     */
    Preparation(Runnable compilation, Consumer<Preparation> done) {
        this.parts = List.of();
        this.fresh = false;
        this.alone = true;
        this.work = compilation;
        this.done = done;
    }

    /** Prepares on another thread. */
    void start() {
        Thread.ofVirtual().name("lane-preparation").start(this::runHere);
    }

    /** Cancels the preparation; its flows are useless then. */
    synchronized void cancel() {
        canceled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    private synchronized void begin() {
        worker = Thread.currentThread();
    }

    /** Protects the thread from later interrupts, and clears an earlier one. */
    private synchronized void end() {
        worker = null;
        if (canceled) {
            var _ = Thread.interrupted();
        }
    }

    boolean isCanceled() {
        return canceled;
    }

    boolean isFresh() {
        return fresh;
    }

    boolean isAlone() {
        return alone;
    }

    /** Why a flow could not be prepared, which is a defect of Millrace; empty if all flows were. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    List<LiveFlow> flows() {
        return parts.stream().map(Part::flow).toList();
    }

    /** Prepares on the calling thread. */
    void runHere() {
        begin();
        try {
            work.run();
        } catch (EvaluatorStopped | StoredResult.Gone stopped) {
            canceled = true;
        } catch (MillraceException failed) {
            if (failed.code() == ErrorCode.DATABASE_UNAVAILABLE) {
                // The connection of the lane may work all the same, so the lane would repeat this at once.
                pause();
                canceled = true;
            } else {
                failure = failed;
            }
        } catch (RuntimeException | StackOverflowError broken) {
            failure = broken;
        } finally {
            end();
            done.accept(this);
        }
    }

    /** Ends early if the preparation is canceled. */
    private void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE_AFTER_FAILURE.toNanos());
        } catch (InterruptedException useless) {
            Thread.currentThread().interrupt();
        }
    }

    private void prepareParts(Semaphore largeReads) {
        for (Part part : parts) {
            if (!canceled) {
                prepare(part, largeReads);
            }
        }
    }

    private static void prepare(Part part, Semaphore largeReads) {
        EvaluationOwner owner = new EvaluationOwner(
                Optional.of(part.flow().root().workspace()),
                part.flow().root().run().toString());
        ScopedValue.where(EvaluationOwner.CURRENT, owner)
                .run(() -> StoredReads.during(largeReads, () -> {
                    switch (part.moves()) {
                        case Moves.Given(List<Move> moves) -> part.flow().prepare(moves);
                        case Moves.ToAccept _ -> part.flow().prepareToAccept();
                        case Moves.ToBegin _ -> part.flow().prepareToBegin();
                    }
                    return part;
                }));
    }
}
