package dev.millrace.scheduler.maintenance;

import static java.util.Objects.requireNonNull;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;

/** One day of the history, in UTC: the ids of version 7 that were made on it. */
record HistoryDay(LocalDate date) {
    private static final int UUID_MILLIS_SHIFT = 16;

    HistoryDay {
        requireNonNull(date, "date");
    }

    /** Name of its partition. */
    String table() {
        return "job_history_" + DateTimeFormatter.BASIC_ISO_DATE.format(date);
    }

    /** Least id of the day. */
    UUID from() {
        return leastIdOf(date);
    }

    /** Least id of the next day. */
    UUID to() {
        return leastIdOf(date.plusDays(1));
    }

    private static UUID leastIdOf(LocalDate date) {
        long millis = date.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
        return new UUID(millis << UUID_MILLIS_SHIFT, 0);
    }
}
