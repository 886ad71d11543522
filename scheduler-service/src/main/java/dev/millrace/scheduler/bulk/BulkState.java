package dev.millrace.scheduler.bulk;

import java.util.stream.Stream;

/** State of a bulk operation. */
enum BulkState {
    /** Some of its runs wait. */
    RUNNING(1),
    /** Every run has a final state. */
    ENDED(2),
    /** Canceled, while claimed runs are still being finished. */
    CANCELING(3),
    /** Canceled, and every run has a final state. */
    CANCELED(4);

    private final short code;

    BulkState(int code) {
        this.code = (short) code;
    }

    /** The database's code. */
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
