package dev.millrace.scheduler.flow.core.state;

import org.jspecify.annotations.Nullable;

/**
 * A list of steps or a container in progress. Once a frame is ending, nothing begins inside it, and it ends after the
 * jobs inside it have ended.
 */
public abstract sealed class Frame permits ScopeState, LoopState, BranchState {
    private final @Nullable Frame outer;
    private final boolean tolerant;
    private int live;
    private @Nullable Failure failure;

    /**
     * Creates a frame.
     *
     * @param outer the frame around it; null for the flow itself
     * @param tolerant whether a failure inside stays in this frame
     */
    Frame(@Nullable Frame outer, boolean tolerant) {
        this.outer = outer;
        this.tolerant = tolerant;
    }

    /** Returns whether the other object is this instance, as opposed to having equal content. */
    @SuppressWarnings("ReferenceEquality")
    public final boolean is(@Nullable Object other) {
        return this == other;
    }

    public @Nullable Frame outer() {
        return outer;
    }

    public boolean isTolerant() {
        return tolerant;
    }

    /** Number of jobs and waits in progress, including those of inner frames. */
    public int live() {
        return live;
    }

    void addLive(int more) {
        for (Frame frame = this; frame != null; frame = frame.outer) {
            frame.live += more;
        }
    }

    /** The failure that the frame ends with; null if there is none. */
    public @Nullable Failure failure() {
        return failure;
    }

    void fail(Failure other) {
        failure = failure == null || failure.compareTo(other) > 0 ? other : failure;
    }

    /** Returns whether the frame is ending early. */
    public boolean isEnding() {
        return failure != null;
    }

    /** Returns whether the frame is still part of the frame around it. */
    abstract boolean isAttached();

    /** Returns whether anything may begin in the frame. */
    public boolean mayBegin() {
        for (Frame frame = this; frame != null; frame = frame.outer) {
            if (frame.isEnding() || !frame.isAttached()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the frame in which a failure of this frame stays. */
    Frame boundary() {
        Frame frame = this;
        while (!frame.tolerant && frame.outer != null) {
            frame = frame.outer;
        }
        return frame;
    }

    /** Returns whether this frame and all frames around it are attached. */
    public boolean isAttachedThroughout() {
        for (Frame frame = this; frame != null; frame = frame.outer) {
            if (!frame.isAttached()) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a frame around this one is ending early. */
    public boolean isInsideEnding() {
        for (Frame frame = outer; frame != null; frame = frame.outer) {
            if (frame.isEnding()) {
                return true;
            }
        }
        return false;
    }
}
