package dev.millrace.scheduler.retention;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.UUID;

/** One day of a partitioned table, in UTC: the ids of version 7 that were made on it. */
record Day(String parent, LocalDate date) {
    private static final DateTimeFormatter SUFFIX = DateTimeFormatter.BASIC_ISO_DATE;

    /** The day of which this is the partition; empty for partitions that are no days. */
    static Optional<Day> ofTable(String parent, String table) {
        try {
            return Optional.of(new Day(parent, LocalDate.parse(table.substring(parent.length() + 1), SUFFIX)));
        } catch (DateTimeException noDay) {
            return Optional.empty();
        }
    }

    /** Name of its partition. */
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

    /** Whether all of the day lies before. */
    boolean isBefore(Cutoff cutoff) {
        return !Cutoff.startOf(date.plusDays(1)).isAfter(cutoff.time().toInstant());
    }
}
