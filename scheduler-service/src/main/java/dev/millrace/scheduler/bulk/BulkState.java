package dev.millrace.scheduler.bulk;

import java.util.stream.Stream;

/** Where an operation on many runs stands. */
enum BulkState {
    /** Runs wait for it. */
    RUNNING(1),
    /** It has come to every run. */
    ENDED(2),
    /** Someone has canceled it; what had begun is being finished. */
    CANCELING(3),
    /** Someone has canceled it, and nothing of it goes on. */
    CANCELED(4);

    private final short code;

    BulkState(int code) {
        this.code = (short) code;
    }

    /** What the database keeps. */
    short code() {
        return code;
    }

    static BulkState ofCode(int code) {
        return Stream.of(values())
                .filter(state -> state.code == code)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("state of a bulk operation: " + code));
    }
}
