package dev.millrace.scheduler.schedule.core;

import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Times at which a schedule does not tick. */
sealed interface Exclusion {
    /** Days from the first to the last. */
    record Days(LocalDate first, LocalDate last) implements Exclusion {}

    /** A day of each year. */
    record Yearly(MonthDay day) implements Exclusion {}

    /** The minutes that a cron expression names. */
    record Minutes(Cron cron) implements Exclusion {}

    /**
     * Reads {@code 2026-12-25}, {@code 2026-12-24..2027-01-02}, {@code 12-25}, or a cron expression.
     *
     * @throws IllegalArgumentException with a message that says what is expected
     */
    static Exclusion read(String text) {
        try {
            if (text.contains("..")) {
                int dots = text.indexOf("..");
                LocalDate first = LocalDate.parse(text.substring(0, dots));
                LocalDate last = LocalDate.parse(text.substring(dots + 2));
                if (last.isBefore(first)) {
                    throw new IllegalArgumentException("\"" + text + "\" ends before it begins");
                }
                return new Days(first, last);
            }
            if (text.matches("[0-9]{2}-[0-9]{2}")) {
                return new Yearly(MonthDay.parse("--" + text));
            }
            if (text.matches("[0-9]{4}-.*")) {
                return new Days(LocalDate.parse(text), LocalDate.parse(text));
            }
        } catch (DateTimeParseException notADate) {
            throw new IllegalArgumentException(
                    "\"" + text
                            + "\" (expected: a day as 2026-12-25, days as 2026-12-24..2027-01-02, a day of each year as"
                            + " 12-25, or a cron expression)",
                    notADate);
        }
        return new Minutes(Cron.read(text));
    }

    /** The instant after which the next tick may be, if this one is excluded; empty if it is not. */
    default Optional<Instant> skip(Instant tick, ZoneId zone) {
        LocalDate day = tick.atZone(zone).toLocalDate();
        return switch (this) {
            case Days(LocalDate first, LocalDate last) ->
                day.isBefore(first) || day.isAfter(last)
                        ? Optional.empty()
                        : Optional.of(before(last.plusDays(1), zone));
            case Yearly(MonthDay excluded) ->
                MonthDay.from(day).equals(excluded) ? Optional.of(before(day.plusDays(1), zone)) : Optional.empty();
            case Minutes(Cron cron) ->
                cron.matches(tick.atZone(zone).toLocalDateTime()) ? Optional.of(tick) : Optional.empty();
        };
    }

    private static Instant before(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toInstant().minusNanos(1);
    }
}
