package dev.millrace.scheduler.operation;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.queue.core.Json;
import java.time.Instant;

/**
 * Something that happened to a run.
 *
 * @param place where it stands among the entries of the run
 * @param step key of the step; empty for the run
 * @param what operation, answer, or name of an error
 * @param who person or worker; empty if nobody knows
 * @param why reason or message; may be empty
 */
record HistoryEntry(HistoryPlace place, Kind kind, String step, String what, String who, String why, Json details) {
    /** What happened, with its code in the query. */
    enum Kind {
        OPERATION(1),
        ANSWER(2),
        ATTEMPT(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        static Kind of(int code) {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("kind of history: " + code);
        }
    }

    HistoryEntry {
        requireNonNull(place, "place");
        requireNonNull(kind, "kind");
        requireNonNull(step, "step");
        requireNonNull(what, "what");
        requireNonNull(who, "who");
        requireNonNull(why, "why");
        requireNonNull(details, "details");
    }

    Instant time() {
        return place.time();
    }
}
