package dev.millrace.scheduler.flow.core.state;

import org.jspecify.annotations.Nullable;

/**
 * A list of steps or a container in progress, as something that may be coming to its end early: once it is, nothing begins inside of
 * it, and it ends when the jobs inside have ended.
 */
public abstract sealed class Frame permits ScopeState, LoopState, BranchState {
    private final @Nullable Frame outer;
    private final boolean tolerant;
    private int live;
    private @Nullable Failure failure;

    /**
     * @param outer what it stands in; null for the flow itself
     * @param tolerant whether a failure inside stays with it
     */
    Frame(@Nullable Frame outer, boolean tolerant) {
        this.outer = outer;
        this.tolerant = tolerant;
    }

    /** Whether the other is this very one; equality means equal content. */
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

    /** Jobs and waits in progress, those of inner frames included. */
    public int live() {
        return live;
    }

    void addLive(int more) {
        for (Frame frame = this; frame != null; frame = frame.outer) {
            frame.live += more;
        }
    }

    /** The failure that it ends with. */
    public @Nullable Failure failure() {
        return failure;
    }

    void fail(Failure other) {
        failure = failure == null || failure.compareTo(other) > 0 ? other : failure;
    }

    /** Whether it is coming to its end early. */
    public boolean isEnding() {
        return failure != null;
    }

    /** Whether what it stands in has not let go of it. */
    abstract boolean isAttached();

    /** Whether something may begin in it. */
    public boolean mayBegin() {
        for (Frame frame = this; frame != null; frame = frame.outer) {
            if (frame.isEnding() || !frame.isAttached()) {
                return false;
            }
        }
        return true;
    }

    /** The frame that a failure here stays with. */
    Frame boundary() {
        Frame frame = this;
        while (!frame.tolerant && frame.outer != null) {
            frame = frame.outer;
        }
        return frame;
    }

    /** Whether it is attached, and all around it are. */
    public boolean isAttachedThroughout() {
        for (Frame frame = this; frame != null; frame = frame.outer) {
            if (!frame.isAttached()) {
                return false;
            }
        }
        return true;
    }

    /** Whether something around it is coming to its end early. */
    public boolean isInsideEnding() {
        for (Frame frame = outer; frame != null; frame = frame.outer) {
            if (frame.isEnding()) {
                return true;
            }
        }
        return false;
    }
}
