package dev.millrace.scheduler.flow.core.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names one step of a run: ids from the outside in, loop iterations in brackets, for example {@code split}, {@code count[3]},
 * {@code count[3].tokenize}, {@code route.left}. A container leaves two rows: one under {@code count#open} when it begins, one
 * under {@code count} when it ends. Other marks tell what else became of a step.
 */
public record StepKey(String text) {
    /** The steps that run once the flow has failed stand below this key. */
    public static final StepKey FAILURE = new StepKey("#failure");

    /** What a row tells beyond the end of a step. */
    public enum Mark {
        /** The container begins. */
        OPEN("#open"),
        /** The list of steps around the step ends early. */
        STOP("#stop"),
        /** The iteration or branch around the step ends early. */
        BRANCH("#branch"),
        /** The same, and none beside it begins any more. */
        BRANCHES("#branches"),
        /** The loop around the step, or what this iteration or branch is one of, begins no further one. */
        BREAK("#break"),
        /** The sub-flow around the step, or the run, ends early. */
        END("#end"),
        /** The wait before the step. */
        DELAY("#delay"),
        /** The wait before anything of the step happens, while the run is paused. */
        HOLD("#hold"),
        /** The same after what stands before the step: its delay, or an earlier attempt. */
        HELD("#held"),
        /** The time limit of the container, a wait. */
        LIMIT("#limit"),
        /** Of a reset by an operation: voids the step and all inside of it, so that it begins anew. */
        REDO("#redo"),
        /** Of a reset by an operation: voids only the end of the container or the iteration, so that it goes on. */
        REOPEN("#reopen");

        private final String suffix;

        Mark(String suffix) {
            this.suffix = suffix;
        }

        /** Whether it is the mark of a wait, which tells nothing about the step itself. */
        public boolean isWait() {
            return switch (this) {
                case DELAY, HOLD, HELD, LIMIT -> true;
                case OPEN, STOP, BRANCH, BRANCHES, BREAK, END, REDO, REOPEN -> false;
            };
        }

        /** Whether it is the mark of a wait that ends when the run is resumed. */
        public boolean isHold() {
            return this == HOLD || this == HELD;
        }
    }

    public StepKey {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A step key is empty (expected: for example count[3].tokenize).");
        }
    }

    /** Whether it names the beginning of a container. */
    public boolean isOpening() {
        return text.endsWith(Mark.OPEN.suffix);
    }

    /** Whether it names an iteration or a branch, or the step that stands for it. */
    public boolean isIteration() {
        return text.endsWith("]");
    }

    /** Whether it names an iteration or a branch of this very container. */
    public boolean isIterationOf(StepKey container) {
        return isIteration() && text.lastIndexOf('[') == container.text.length() && text.startsWith(container.text);
    }

    /** The key of the container's beginning. */
    public StepKey opening() {
        return with(Mark.OPEN);
    }

    public StepKey with(Mark mark) {
        return new StepKey(text + mark.suffix);
    }

    /** The mark it ends with. */
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

    /** The key of the step itself. */
    public StepKey step() {
        return mark().map(mark -> new StepKey(text.substring(0, text.length() - mark.suffix.length())))
                .orElse(this);
    }

    /** What may be a container around the step, from the inside out: its key up to each dot and bracket. */
    public List<StepKey> around() {
        List<StepKey> around = new ArrayList<>();
        for (int end = text.length() - 1; end > 0; end--) {
            if (text.charAt(end) == '.' || text.charAt(end) == '[') {
                around.add(new StepKey(text.substring(0, end)));
            }
        }
        return around;
    }

    /** The key of another step of the same list. */
    public StepKey sibling(String id) {
        return new StepKey(text.substring(0, text.lastIndexOf('.') + 1) + id);
    }

    /** Whether {@code inner} is a step inside this container. */
    public boolean contains(StepKey inner) {
        return inner.text.length() > text.length()
                && inner.text.startsWith(text)
                && (inner.text.charAt(text.length()) == '.' || inner.text.charAt(text.length()) == '[');
    }

    // Written out: the generated ones are called through method handles, and this is a key of the maps that each step
    // is looked up in.

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
