package dev.millrace.scheduler.flow.core;

/**
 * Names one step of a run: ids from the outside in, loop iterations in brackets, for example {@code split}, {@code count[3]},
 * {@code count[3].tokenize}, {@code route.left}. A container leaves two rows: one under {@code count#open} when it begins, one
 * under {@code count} when it ends.
 */
public record StepKey(String text) {
    private static final String OPENING = "#open";

    public StepKey {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("A step key is empty (expected: for example count[3].tokenize).");
        }
    }

    /** Whether it names the beginning of a container. */
    public boolean isOpening() {
        return text.endsWith(OPENING);
    }

    /** The key of the container's beginning. */
    public StepKey opening() {
        return new StepKey(text + OPENING);
    }

    /** The key of the step itself. */
    public StepKey step() {
        return isOpening() ? new StepKey(text.substring(0, text.length() - OPENING.length())) : this;
    }

    /** Whether {@code inner} is a step inside this container. */
    boolean contains(StepKey inner) {
        return inner.text.length() > text.length()
                && inner.text.startsWith(text)
                && (inner.text.charAt(text.length()) == '.' || inner.text.charAt(text.length()) == '[');
    }

    @Override
    public String toString() {
        return text;
    }
}
