package dev.millrace.scheduler.schedule.core;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Looks at every minute: a cron expression whose fields are sets, and the rules on transitions, word by word. */
record NaiveCron(
        Set<Integer> minutes,
        Set<Integer> hours,
        Set<Integer> daysOfMonth,
        Set<Integer> months,
        Set<Integer> daysOfWeek,
        boolean anyHour,
        boolean anyDayOfMonth,
        boolean anyDayOfWeek) {
    /** An expression and its model. */
    record Sample(String text, NaiveCron model) {}

    static Sample random(Random random) {
        boolean anyHour = random.nextInt(3) == 0;
        boolean anyDayOfMonth = random.nextInt(3) > 0;
        boolean anyMonth = random.nextInt(4) > 0;
        boolean anyDayOfWeek = random.nextInt(2) == 0;
        Set<Integer> minutes = some(random, 0, 59, 1 + random.nextInt(4));
        int hourStep = anyHour ? 1 + random.nextInt(3) : 1;
        Set<Integer> hours = anyHour ? stepped(0, 23, hourStep) : some(random, 0, 5, 1 + random.nextInt(3));
        Set<Integer> daysOfMonth = anyDayOfMonth ? stepped(1, 31, 1) : some(random, 1, 31, 1 + random.nextInt(12));
        Set<Integer> months = anyMonth ? stepped(1, 12, 1) : some(random, 1, 12, 6);
        Set<Integer> daysOfWeek = anyDayOfWeek ? stepped(0, 6, 1) : some(random, 0, 6, 1 + random.nextInt(4));
        String hour = anyHour ? (hourStep == 1 ? "*" : "*/" + hourStep) : text(hours);
        String text = text(minutes) + " " + hour + " " + (anyDayOfMonth ? "*" : text(daysOfMonth)) + " "
                + (anyMonth ? "*" : text(months)) + " " + (anyDayOfWeek ? "*" : text(daysOfWeek));
        return new Sample(
                text,
                new NaiveCron(minutes, hours, daysOfMonth, months, daysOfWeek, anyHour, anyDayOfMonth, anyDayOfWeek));
    }

    /** All ticks from the first instant, which is a whole minute, until before the last. */
    List<Instant> ticks(Instant from, Instant to, ZoneId zone) {
        List<Instant> ticks = new ArrayList<>();
        for (Instant minute = from; minute.isBefore(to); minute = minute.plusSeconds(60)) {
            ZonedDateTime shown = minute.atZone(zone);
            LocalDateTime before = LocalDateTime.ofInstant(minute.minusSeconds(60), zone);
            LocalDateTime now = shown.toLocalDateTime();
            boolean isTick = matches(now)
                    && (anyHour || shown.withEarlierOffsetAtOverlap().equals(shown));
            if (!anyHour) {
                for (LocalDateTime skipped = before.plusMinutes(1);
                        skipped.isBefore(now);
                        skipped = skipped.plusMinutes(1)) {
                    isTick |= matches(skipped);
                }
            }
            if (isTick) {
                ticks.add(minute);
            }
        }
        return ticks;
    }

    private boolean matches(LocalDateTime time) {
        boolean ofMonth = daysOfMonth.contains(time.getDayOfMonth());
        boolean ofWeek = daysOfWeek.contains(time.getDayOfWeek().getValue() % 7);
        boolean day = (anyDayOfMonth || anyDayOfWeek) ? (ofMonth && ofWeek) : (ofMonth || ofWeek);
        return day
                && months.contains(time.getMonthValue())
                && hours.contains(time.getHour())
                && minutes.contains(time.getMinute());
    }

    private static Set<Integer> some(Random random, int min, int max, int count) {
        Set<Integer> values = new TreeSet<>();
        for (int index = 0; index < count; index++) {
            values.add(min + random.nextInt(max - min + 1));
        }
        return values;
    }

    private static Set<Integer> stepped(int min, int max, int step) {
        Set<Integer> values = new TreeSet<>();
        for (int value = min; value <= max; value += step) {
            values.add(value);
        }
        return values;
    }

    private static String text(Set<Integer> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
