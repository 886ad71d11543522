package dev.millrace.cli.output;

import dev.millrace.cli.client.State;

/** Colors text with ANSI sequences, if enabled. */
public record Paint(boolean isEnabled) {
    public static final Paint NONE = new Paint(false);

    public String green(String text) {
        return sgr("32", text);
    }

    public String red(String text) {
        return sgr("31", text);
    }

    public String yellow(String text) {
        return sgr("33", text);
    }

    public String cyan(String text) {
        return sgr("36", text);
    }

    public String dim(String text) {
        return sgr("2", text);
    }

    public String bold(String text) {
        return sgr("1", text);
    }

    /** The text in the color of a state. */
    public String state(State state, String text) {
        return switch (state) {
            case SUCCEEDED -> green(text);
            case FAILED -> red(text);
            case RUNNING -> cyan(text);
            case CANCELED -> yellow(text);
            case QUEUED, SKIPPED, UNKNOWN -> dim(text);
        };
    }

    private String sgr(String code, String text) {
        return isEnabled ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
