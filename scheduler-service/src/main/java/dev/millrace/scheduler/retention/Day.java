package dev.millrace.scheduler.retention;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;

/** One day of a partitioned table, in UTC: the UUIDs of version 7 made on that day. */
record Day(String parent, LocalDate date) {
    private static final DateTimeFormatter SUFFIX = DateTimeFormatter.BASIC_ISO_DATE;

    /** The day of the partition {@code table}; empty for partitions that hold no single day. */
    static Optional<Day> ofTable(String parent, String table) {
        try {
            return Optional.of(new Day(parent, LocalDate.parse(table.substring(parent.length() + 1), SUFFIX)));
        } catch (DateTimeException noDay) {
            return Optional.empty();
        }
    }

    /** Name of the day's partition. */
    String table() {
        return parent + "_" + SUFFIX.format(date);
    }

    /** Least id of the day. */
    UUID from() {
        return Cutoff.leastId(Cutoff.startOf(date));
    }

    /** Least id of the next day. */
    UUID to() {
        return Cutoff.leastId(Cutoff.startOf(date.plusDays(1)));
    }

    /** Whether the whole day lies before the cutoff. */
    boolean isBefore(Cutoff cutoff) {
        return !Cutoff.startOf(date.plusDays(1)).isAfter(cutoff.time().toInstant());
    }
}
