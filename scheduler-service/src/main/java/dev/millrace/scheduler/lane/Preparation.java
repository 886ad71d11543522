package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.expression.StoredReads;
import dev.millrace.scheduler.expression.evaluator.EvaluationOwner;
import dev.millrace.scheduler.expression.evaluator.EvaluatorStopped;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Works out moves of flows ahead of their lane, or compiles a flow, in a thread of its own, where expressions and large results may take their time. The flows belong to that thread
 * until it has told the lane that it is done.
 */
final class Preparation {
    /** Moves of one flow. */
    record Part(LiveFlow flow, Moves moves) {}

    /** Which moves a flow is to be prepared for. */
    sealed interface Moves {
        /** These. */
        record Given(List<Move> moves) implements Moves {}

        /** Those with which it begins. */
        record ToBegin() implements Moves {}
    }

    private final List<Part> parts;
    private final boolean fresh;
    private final boolean alone;
    private final Runnable work;
    private final Consumer<Preparation> done;
    private volatile boolean canceled;
    /** Who works it out now; null before and after. */
    private @Nullable Thread worker;

    private volatile @Nullable Throwable failure;

    /**
     * Prepares flows that no other thread touches any more.
     *
     * @param fresh whether the flows are made for their items, and no lane remembers them
     * @param alone whether the item is to be planned alone, as it may meet further moves
     * @param largeReads turns of preparations that read large results
     * @param done is told at the end, however that comes
     */
    Preparation(List<Part> parts, boolean fresh, boolean alone, Semaphore largeReads, Consumer<Preparation> done) {
        this.parts = List.copyOf(parts);
        this.fresh = fresh;
        this.alone = alone;
        this.work = () -> prepareParts(largeReads);
        this.done = done;
    }

    /**
     * Compiles a flow that an item needs before it can be planned.
     *
     * @param done is told at the end, however that comes
     */
    Preparation(Runnable compilation, Consumer<Preparation> done) {
        this.parts = List.of();
        this.fresh = false;
        this.alone = true;
        this.work = compilation;
        this.done = done;
    }

    /** Has another thread work it out. */
    void start() {
        Thread.ofVirtual().name("lane-preparation").start(this::runHere);
    }

    /** Gives up; the flows are of no use then. */
    synchronized void cancel() {
        canceled = true;
        if (worker != null) {
            worker.interrupt();
        }
    }

    private synchronized void begin() {
        worker = Thread.currentThread();
    }

    /** From now on nobody interrupts the thread, and what did is over. */
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

    /** Why a flow could not be prepared, which is a bug of ours; empty where all were. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    List<LiveFlow> flows() {
        return parts.stream().map(Part::flow).toList();
    }

    /** Works it out on the calling thread. */
    void runHere() {
        begin();
        try {
            work.run();
        } catch (EvaluatorStopped | StoredResult.Gone stopped) {
            canceled = true;
        } catch (MillraceException failed) {
            if (failed.code() == ErrorCode.DATABASE_UNAVAILABLE) {
                // The lane meets that too, and waits for the database before it tries again.
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

    private void prepareParts(Semaphore largeReads) {
        for (Part part : parts) {
            if (!canceled) {
                prepare(part, largeReads);
            }
        }
    }

    private static void prepare(Part part, Semaphore largeReads) {
        EvaluationOwner owner = new EvaluationOwner(
                part.flow().root().workspace(), part.flow().root().run().toString());
        ScopedValue.where(EvaluationOwner.CURRENT, owner)
                .run(() -> StoredReads.during(largeReads, () -> {
                    switch (part.moves()) {
                        case Moves.Given(List<Move> moves) -> part.flow().prepare(moves);
                        case Moves.ToBegin _ -> part.flow().prepareToBegin();
                    }
                    return part;
                }));
    }
}
