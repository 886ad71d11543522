package dev.millrace.scheduler.flow.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names one step of a run: step ids from the outside in, with loop iterations in brackets. Examples: {@code split},
 * {@code count[3]}, {@code count[3].tokenize}, {@code route.left}.
 *
 * <p>A container has two history rows: {@code count#open} when it begins, {@code count} when it ends. Other marks
 * record further events of a step.
 */
public record StepKey(String text) {
    /** Key of the scope that contains the steps of {@code onFailure}. */
    public static final StepKey FAILURE = new StepKey("#failure");

    /** What a row records other than the end of a step. */
    public enum Mark {
        /** The container begins. */
        OPEN("#open"),
        /** The list of steps around the step ends early. */
        STOP("#stop"),
        /** The iteration or branch around the step ends early. */
        BRANCH("#branch"),
        /** Like {@link #BRANCH}, and no further sibling begins. */
        BRANCHES("#branches"),
        /**
         * The loop around the step begins no further iteration. On the key of an iteration or a branch: its container
         * begins no further one.
         */
        BREAK("#break"),
        /** The sub-flow around the step, or the run, ends early. */
        END("#end"),
        /** The delay before the step. */
        DELAY("#delay"),
        /** The wait of a step that has not begun while the run is paused. */
        HOLD("#hold"),
        /** Like {@link #HOLD}, but after the delay of the step or after an earlier attempt. */
        HELD("#held"),
        /** The time limit of the container, which is a wait. */
        LIMIT("#limit"),
        /**
         * A reset by an operation: voids the rows of the step and of everything inside it, so that the step begins
         * again.
         */
        REDO("#redo"),
        /** A reset by an operation: voids only the end of the container or iteration, so that it continues. */
        REOPEN("#reopen");

        private final String suffix;

        Mark(String suffix) {
            this.suffix = suffix;
        }

        /** Returns whether the row is a wait, which says nothing about the step itself. */
        public boolean isWait() {
            return switch (this) {
                case DELAY, HOLD, HELD, LIMIT -> true;
                case OPEN, STOP, BRANCH, BRANCHES, BREAK, END, REDO, REOPEN -> false;
            };
        }

        /** Returns whether the wait ends when the run is resumed. */
        public boolean isHold() {
            return this == HOLD || this == HELD;
        }
    }

    public StepKey {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A step key is empty (expected: for example count[3].tokenize).");
        }
    }

    /** Returns whether the key names the beginning of a container. */
    public boolean isOpening() {
        return text.endsWith(Mark.OPEN.suffix);
    }

    /** Returns whether the key names an iteration, a branch, or the step that shares its key. */
    public boolean isIteration() {
        return text.endsWith("]");
    }

    /** Returns whether the key names an iteration or a branch of exactly this container. */
    public boolean isIterationOf(StepKey container) {
        return isIteration() && text.lastIndexOf('[') == container.text.length() && text.startsWith(container.text);
    }

    /** Returns the key of the row that a container writes when it begins. */
    public StepKey opening() {
        return with(Mark.OPEN);
    }

    public StepKey with(Mark mark) {
        return new StepKey(text + mark.suffix);
    }

    /** Returns the mark at the end of the key. */
    public Optional<Mark> mark() {
        int hash = text.lastIndexOf('#');
        if (hash > 0) {
            for (Mark mark : Mark.values()) {
                if (text.startsWith(mark.suffix, hash) && text.length() == hash + mark.suffix.length()) {
                    return Optional.of(mark);
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the key without its mark. */
    public StepKey step() {
        return mark().map(mark -> new StepKey(text.substring(0, text.length() - mark.suffix.length())))
                .orElse(this);
    }

    /**
     * Returns the keys of the possible containers around the step, innermost first: its prefixes up to each dot and
     * bracket.
     */
    public List<StepKey> around() {
        List<StepKey> around = new ArrayList<>();
        for (int end = text.length() - 1; end > 0; end--) {
            if (text.charAt(end) == '.' || text.charAt(end) == '[') {
                around.add(new StepKey(text.substring(0, end)));
            }
        }
        return around;
    }

    /** Returns the key of another step of the same list. */
    public StepKey sibling(String id) {
        return new StepKey(text.substring(0, text.lastIndexOf('.') + 1) + id);
    }

    /** Returns whether {@code inner} names a step inside this container. */
    public boolean contains(StepKey inner) {
        return inner.text.length() > text.length()
                && inner.text.startsWith(text)
                && (inner.text.charAt(text.length()) == '.' || inner.text.charAt(text.length()) == '[');
    }

    // Written by hand because maps look up each step by this key, and generated methods call through method handles.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StepKey that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
