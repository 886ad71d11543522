package dev.millrace.scheduler.flow.core.graph;

/** Parses a step key from the outside in. */
public final class KeyReader {
    /** Prefix of the ids of generated steps, which appear in no definition. */
    private static final String MADE = "~";

    private final String text;
    private int position;

    public KeyReader(StepKey key) {
        this.text = key.step().text();
    }

    private KeyReader(String text, int position) {
        this.text = text;
        this.position = position;
    }

    /** Returns a reader at the same position. */
    public KeyReader copy() {
        return new KeyReader(text, position);
    }

    public boolean atEnd() {
        return position == text.length();
    }

    /** Whether the number of an iteration follows. */
    boolean atIteration() {
        return position < text.length() && text.charAt(position) == '[';
    }

    public String id() {
        if (position > 0) {
            take('.');
        }
        int start = position;
        while (position < text.length() && text.charAt(position) != '.' && text.charAt(position) != '[') {
            position++;
        }
        if (position == start) {
            throw broken();
        }
        return text.substring(start, position);
    }

    public int iteration() {
        take('[');
        int close = text.indexOf(']', position);
        try {
            int iteration = Integer.parseInt(text, position, Math.max(close, position), 10);
            position = close + 1;
            return iteration;
        } catch (NumberFormatException notANumber) {
            throw broken();
        }
    }

    private void take(char expected) {
        if (atEnd() || text.charAt(position) != expected) {
            throw broken();
        }
        position++;
    }

    private IllegalArgumentException broken() {
        return new IllegalArgumentException(
                "\"" + text + "\" is not a step key (expected: for example count[3].tokenize)");
    }

    /** Returns whether the step is generated, that is, appears in no definition. */
    public static boolean isMade(StepKey key) {
        return key.text().startsWith(MADE, key.text().lastIndexOf('.') + 1);
    }

    /** Returns the id of the step or, for a generated step, that of the step it was generated for. */
    public static String lastId(StepKey key) {
        KeyReader reader = new KeyReader(key);
        String id = reader.id();
        while (!reader.atEnd()) {
            if (reader.atIteration()) {
                reader.iteration();
            } else {
                String inner = reader.id();
                id = inner.startsWith(MADE) ? id : inner;
            }
        }
        return id;
    }

    /** Returns the number of containers around the step. */
    public static int depth(StepKey key) {
        KeyReader reader = new KeyReader(key);
        reader.id();
        int depth = 0;
        while (!reader.atEnd()) {
            if (reader.atIteration()) {
                reader.iteration();
            }
            if (!reader.atEnd()) {
                reader.id();
            }
            depth++;
        }
        return depth;
    }
}
