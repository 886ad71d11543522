package dev.millrace.scheduler.trigger;

import java.util.Arrays;
import java.util.Map;

/** States of an occurrence, with the codes that are stored. */
public enum StartState {
    /** It waits for the end of an earlier run. */
    WAITING(1),
    /** A scheduler is about to submit its run; another one finishes that if the scheduler dies. */
    CLAIMED(2),
    /** Its run was accepted. */
    STARTED(3),
    /** No run was accepted; the reason says why. */
    REFUSED(4),
    /** No run was wanted; the reason says why. */
    SKIPPED(5),
    /** It was noticed too late. */
    MISSED(6);

    private final short code;

    StartState(int code) {
        this.code = (short) code;
    }

    public short code() {
        return code;
    }

    /** Names for {@link dev.millrace.scheduler.queue.core.NamedCodes}. */
    public static final Map<String, Short> CODES = Map.of(
            "StartState.WAITING", WAITING.code,
            "StartState.CLAIMED", CLAIMED.code,
            "StartState.STARTED", STARTED.code,
            "StartState.REFUSED", REFUSED.code,
            "StartState.SKIPPED", SKIPPED.code,
            "StartState.MISSED", MISSED.code);

    static StartState of(short code) {
        return Arrays.stream(values())
                .filter(state -> state.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown state of a start: " + code));
    }
}
