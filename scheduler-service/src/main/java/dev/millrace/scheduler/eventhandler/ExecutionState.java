package dev.millrace.scheduler.eventhandler;

import java.util.Arrays;
import java.util.Map;

/** States of what a handler does with a message, with the codes that are stored. */
enum ExecutionState {
    /** It is to be decided what is done. */
    NOTED(1),
    /** It is decided, and to be done. */
    PLANNED(2),
    COMPLETED(3),
    FAILED(4),
    /** The handler wanted nothing of the message. */
    SKIPPED(5);

    private final short code;

    ExecutionState(int code) {
        this.code = (short) code;
    }

    short code() {
        return code;
    }

    /** Names for {@link dev.millrace.scheduler.queue.core.NamedCodes}. */
    static final Map<String, Short> CODES = Map.of(
            "ExecutionState.NOTED", NOTED.code,
            "ExecutionState.PLANNED", PLANNED.code,
            "ExecutionState.COMPLETED", COMPLETED.code,
            "ExecutionState.FAILED", FAILED.code,
            "ExecutionState.SKIPPED", SKIPPED.code);

    static ExecutionState of(short code) {
        return Arrays.stream(values())
                .filter(state -> state.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown state of an execution: " + code));
    }
}
