package dev.millrace.scheduler.schedule.core;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * The days of a cron expression: two fields, and the rule that combines them. If both are restricted, a day needs to
 * match one of them; else it needs to match both. A field is restricted unless it begins with {@code *} or is {@code ?}.
 */
final class CronDays {
    private final Predicate<LocalDate> ofMonth;
    private final Predicate<LocalDate> ofWeek;
    private final boolean isEither;

    private CronDays(Predicate<LocalDate> ofMonth, Predicate<LocalDate> ofWeek, boolean isEither) {
        this.ofMonth = ofMonth;
        this.ofWeek = ofWeek;
        this.isEither = isEither;
    }

    static CronDays read(String ofMonth, String ofWeek) {
        return new CronDays(
                readAny(ofMonth, CronDays::dayOfMonth),
                readAny(ofWeek, CronDays::dayOfWeek),
                isRestricted(ofMonth) && isRestricted(ofWeek));
    }

    boolean matches(LocalDate date) {
        return isEither ? ofMonth.test(date) || ofWeek.test(date) : ofMonth.test(date) && ofWeek.test(date);
    }

    private static boolean isRestricted(String field) {
        return !field.startsWith("*") && !field.equals("?");
    }

    private interface ItemReader {
        Predicate<LocalDate> read(String item, String whole);
    }

    private static Predicate<LocalDate> readAny(String field, ItemReader reader) {
        List<Predicate<LocalDate>> items = new ArrayList<>();
        for (String item : field.toUpperCase(Locale.ROOT).split(",", -1)) {
            items.add(reader.read(item, field));
        }
        return date -> items.stream().anyMatch(item -> item.test(date));
    }

    private static Predicate<LocalDate> dayOfMonth(String item, String whole) {
        CronField field = CronField.DAY_OF_MONTH;
        if (item.equals("L")) {
            return date -> date.getDayOfMonth() == date.lengthOfMonth();
        }
        if (item.equals("LW") || item.equals("WL")) {
            return date -> date.equals(nearestWeekday(date, date.lengthOfMonth()));
        }
        if (item.startsWith("L-")) {
            int before = field.value(item.substring(2), whole);
            return date -> date.getDayOfMonth() == date.lengthOfMonth() - before;
        }
        if (item.endsWith("W")) {
            int day = field.value(item.substring(0, item.length() - 1), whole);
            return date -> day <= date.lengthOfMonth() && date.equals(nearestWeekday(date, day));
        }
        long days = field.read(item);
        return date -> (days >>> date.getDayOfMonth() & 1) == 1;
    }

    /** The weekday of the same month that is nearest to the day. */
    private static LocalDate nearestWeekday(LocalDate date, int day) {
        LocalDate wanted = date.withDayOfMonth(day);
        return switch (wanted.getDayOfWeek()) {
            case SATURDAY -> day > 1 ? wanted.minusDays(1) : wanted.plusDays(2);
            case SUNDAY -> day < wanted.lengthOfMonth() ? wanted.plusDays(1) : wanted.minusDays(2);
            case MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY -> wanted;
        };
    }

    private static Predicate<LocalDate> dayOfWeek(String item, String whole) {
        CronField field = CronField.DAY_OF_WEEK;
        int hash = item.indexOf('#');
        if (hash > 0) {
            int day = field.value(item.substring(0, hash), whole) % 7;
            String number = item.substring(hash + 1);
            if (!number.matches("[1-5]")) {
                throw field.wrong(whole, "has \"#" + number + "\" (expected: #1 to #5)");
            }
            int nth = Integer.parseInt(number);
            return date -> isDay(date, day) && (date.getDayOfMonth() + 6) / 7 == nth;
        }
        if (item.length() > 1 && item.endsWith("L")) {
            int day = field.value(item.substring(0, item.length() - 1), whole) % 7;
            return date -> isDay(date, day) && date.getDayOfMonth() + 7 > date.lengthOfMonth();
        }
        long days = field.read(item);
        return date -> (days >>> date.getDayOfWeek().getValue() % 7 & 1) == 1;
    }

    private static boolean isDay(LocalDate date, int sundayIsZero) {
        return date.getDayOfWeek() == (sundayIsZero == 0 ? DayOfWeek.SUNDAY : DayOfWeek.of(sundayIsZero));
    }
}
