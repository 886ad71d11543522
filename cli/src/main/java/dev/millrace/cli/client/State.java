package dev.millrace.cli.client;

import java.util.Arrays;
import java.util.Locale;

/** Where a run or a step is on its way. */
public enum State {
    QUEUED,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELED,
    SKIPPED,
    /** A state that a newer server knows and this client does not. */
    UNKNOWN;

    static State of(String word) {
        return Arrays.stream(values())
                .filter(state -> state.word().equals(word))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** The word as REST and people write it. */
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
