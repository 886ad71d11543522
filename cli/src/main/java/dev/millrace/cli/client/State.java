package dev.millrace.cli.client;

import java.util.Arrays;
import java.util.Locale;

/** State of a run or a step. */
public enum State {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED,
    SKIPPED,
    /** A state that this client does not know, from a newer server. */
    UNKNOWN;

    static State of(String word) {
        return Arrays.stream(values())
                .filter(state -> state.word().equals(word))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** The word used in REST and for people. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isFinal() {
        return switch (this) {
            case SUCCEEDED, FAILED, CANCELED, SKIPPED -> true;
            case QUEUED, RUNNING, UNKNOWN -> false;
        };
    }
}
