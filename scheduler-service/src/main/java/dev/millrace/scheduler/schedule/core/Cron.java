package dev.millrace.scheduler.schedule.core;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A cron expression: five fields, or six with the second in front.
 *
 * <p>If the offset of a zone changes, the hour field decides. An hour that begins with {@code *} follows the clock on the
 * wall: a tick in an hour that the clock skips does not exist, and one in an hour that it shows twice exists twice. Any
 * other hour names times of the day, each of which exists once a day: a skipped time ticks at the first instant after the
 * gap, and a repeated time ticks when the clock shows it first.
 */
public final class Cron {
    /** Within this time, each expression that can tick ticks, February 29 on a certain weekday included. */
    private static final int YEARS_MAX = 45;
    /** No zone changes its offset by more. */
    private static final Duration SHIFT_MAX = Duration.ofHours(25);

    private static final int LENGTH_MAX = 200;
    private static final Map<String, String> NAMED = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    private final boolean hasSeconds;
    private final long seconds;
    private final long minutes;
    private final long hours;
    private final long months;
    private final CronDays days;
    private final boolean followsClock;

    private Cron(String[] fields) {
        this.hasSeconds = fields.length == 6;
        int first = hasSeconds ? 1 : 0;
        this.seconds = hasSeconds ? CronField.SECOND.read(fields[0]) : 1;
        this.minutes = CronField.MINUTE.read(fields[first]);
        this.hours = CronField.HOUR.read(fields[first + 1]);
        this.days = CronDays.read(fields[first + 2], fields[first + 4]);
        this.months = CronField.MONTH.read(fields[first + 3]);
        this.followsClock = fields[first + 1].startsWith("*");
    }

    /**
     * Reads an expression, or a name such as {@code @daily}.
     *
     * @throws IllegalArgumentException with a message that says what is wrong and what is expected
     */
    public static Cron read(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(text.length() + " characters (expected: at most " + LENGTH_MAX + ")");
        }
        String plain = text.strip();
        if (plain.startsWith("@")) {
            String known = NAMED.get(plain.toLowerCase(Locale.ROOT));
            if (known == null) {
                throw new IllegalArgumentException("\"" + plain
                        + "\" (expected: @hourly, @daily, @weekly, @monthly or @yearly; write an interval as `every`)");
            }
            plain = known;
        }
        String[] fields = plain.split("\\s+", -1);
        if (fields.length < 5 || fields.length > 6) {
            String found = plain.isEmpty()
                    ? "is empty"
                    : "\"" + text + "\" has " + fields.length + (fields.length == 1 ? " field" : " fields");
            throw new IllegalArgumentException(
                    found + " (expected: minute, hour, day of the month, month and day of the week, with the second in"
                            + " front if needed)");
        }
        Cron cron = new Cron(fields);
        if (cron.nextLocal(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" names a day that does not exist");
        }
        return cron;
    }

    /** The first tick after this instant; empty if there is none within 45 years. */
    public Optional<Instant> next(Instant after, ZoneId zone) {
        return followsClock ? nextOnClock(after, zone.getRules()) : nextOfDay(after, zone.getRules());
    }

    /** Whether the clock shows a tick, or the minute of a tick if the expression has no seconds. */
    boolean matches(LocalDateTime time) {
        return contains(months, time.getMonthValue())
                && days.matches(time.toLocalDate())
                && contains(hours, time.getHour())
                && contains(minutes, time.getMinute())
                && (!hasSeconds || contains(seconds, time.getSecond()));
    }

    /** Between two transitions of the zone, the clock advances evenly. */
    private Optional<Instant> nextOnClock(Instant after, ZoneRules rules) {
        Instant from = after;
        Instant limit = after.plus(Duration.ofDays(366L * YEARS_MAX));
        while (from.isBefore(limit)) {
            ZoneOffset offset = rules.getOffset(from);
            ZoneOffsetTransition change = rules.nextTransition(from);
            Optional<Instant> next =
                    nextLocal(LocalDateTime.ofInstant(from, offset)).map(time -> time.toInstant(offset));
            if (change == null) {
                return next;
            }
            if (next.isPresent() && next.get().isBefore(change.getInstant())) {
                return next;
            }
            // The first instant of the next stretch may itself be a tick.
            LocalDateTime first = LocalDateTime.ofInstant(change.getInstant(), change.getOffsetAfter());
            if (nextLocal(first.minusNanos(1)).filter(first::equals).isPresent()) {
                return Optional.of(change.getInstant());
            }
            from = change.getInstant();
        }
        return Optional.empty();
    }

    /** Times of the day lead to instants in the same order, so the first one that lies after the instant is the next. */
    private Optional<Instant> nextOfDay(Instant after, ZoneRules rules) {
        LocalDateTime local = LocalDateTime.ofInstant(after, rules.getOffset(after));
        Optional<LocalDateTime> time = nextLocal(isNearChange(after, rules) ? local.minus(SHIFT_MAX) : local);
        while (time.isPresent()) {
            Instant instant = instant(time.get(), rules);
            if (instant.isAfter(after)) {
                return Optional.of(instant);
            }
            time = nextLocal(time.get());
        }
        return Optional.empty();
    }

    private static boolean isNearChange(Instant time, ZoneRules rules) {
        ZoneOffsetTransition change = rules.nextTransition(time.minus(SHIFT_MAX));
        return change != null && change.getInstant().isBefore(time.plus(SHIFT_MAX));
    }

    private static Instant instant(LocalDateTime time, ZoneRules rules) {
        ZoneOffsetTransition change = rules.getTransition(time);
        if (change == null) {
            return time.toInstant(rules.getOffset(time));
        }
        return change.isGap() ? change.getInstant() : time.toInstant(change.getOffsetBefore());
    }

    /** The next time on a clock that always advances evenly. */
    private Optional<LocalDateTime> nextLocal(LocalDateTime after) {
        LocalDateTime time = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        int yearMax = after.getYear() + YEARS_MAX;
        while (time.getYear() <= yearMax) {
            if (!contains(months, time.getMonthValue())) {
                time = time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay();
                continue;
            }
            int hour = days.matches(time.toLocalDate()) ? from(hours, time.getHour()) : -1;
            if (hour < 0) {
                time = time.toLocalDate().plusDays(1).atStartOfDay();
                continue;
            }
            if (hour > time.getHour()) {
                time = time.toLocalDate().atTime(hour, 0);
            }
            int minute = from(minutes, time.getMinute());
            if (minute < 0) {
                time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
                continue;
            }
            if (minute > time.getMinute()) {
                time = time.truncatedTo(ChronoUnit.HOURS).withMinute(minute);
            }
            int second = from(seconds, time.getSecond());
            if (second < 0) {
                time = time.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
                continue;
            }
            return Optional.of(time.withSecond(second));
        }
        return Optional.empty();
    }

    private static boolean contains(long values, int value) {
        return (values >>> value & 1) == 1;
    }

    /** The least of the values from this one on; -1 if there is none. */
    private static int from(long values, int least) {
        long left = values >>> least << least;
        return left == 0 ? -1 : Long.numberOfTrailingZeros(left);
    }
}
