package dev.millrace.scheduler.operation;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.rpc.PageRequest;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.UUID;

/**
 * Place of an entry in the history of a run, which is in the order of time.
 *
 * @param id of the record, or of the job of an attempt
 * @param number of the attempt; 0 for everything else
 */
record HistoryPlace(Instant time, UUID id, int number) {
    static final HistoryPlace BEFORE_ALL = new HistoryPlace(Instant.EPOCH, new UUID(0, 0), 0);

    private static final String BETWEEN = " ";
    private static final int PARTS = 3;

    HistoryPlace {
        requireNonNull(time, "time");
        requireNonNull(id, "id");
    }

    /** Reads what {@link #token} has written. */
    static HistoryPlace of(String token) {
        List<String> parts = List.of(token.split(BETWEEN, -1));
        if (parts.size() != PARTS) {
            throw PageRequest.badToken();
        }
        try {
            return new HistoryPlace(
                    Instant.parse(parts.get(0)), UUID.fromString(parts.get(1)), Integer.parseInt(parts.get(2)));
        } catch (DateTimeParseException | IllegalArgumentException foreign) {
            throw PageRequest.badToken();
        }
    }

    String token() {
        return time + BETWEEN + id + BETWEEN + number;
    }
}
