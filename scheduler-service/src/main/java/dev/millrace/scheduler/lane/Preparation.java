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
 * Works out moves of flows ahead of their lane, in a thread of its own, where expressions and large results may take their time. The flows belong to that thread
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
    private final Semaphore largeReads;
    private final Consumer<Preparation> done;
    private final Thread thread;
    private volatile boolean canceled;
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
        this.largeReads = largeReads;
        this.done = done;
        this.thread = Thread.ofVirtual().name("lane-preparation").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Gives up; the flows are of no use then. */
    void cancel() {
        canceled = true;
        thread.interrupt();
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

    private void run() {
        try {
            for (Part part : parts) {
                if (!canceled) {
                    prepare(part);
                }
            }
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
            done.accept(this);
        }
    }

    private void prepare(Part part) {
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
