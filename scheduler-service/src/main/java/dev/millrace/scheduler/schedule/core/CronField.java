package dev.millrace.scheduler.schedule.core;

import java.util.List;
import java.util.Locale;

/** A field of a cron expression whose values are numbers, possibly with names. */
enum CronField {
    SECOND("second", 0, 59, ""),
    MINUTE("minute", 0, 59, ""),
    HOUR("hour", 0, 23, ""),
    DAY_OF_MONTH("day of the month", 1, 31, ""),
    MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    /** 0 and 7 are Sunday. */
    DAY_OF_WEEK("day of the week", 0, 7, "SUN MON TUE WED THU FRI SAT");

    private final String words;
    private final int min;
    private final int max;
    /** Names of the values, with blanks between them. */
    private final String names;

    CronField(String words, int min, int max, String names) {
        this.words = words;
        this.min = min;
        this.max = max;
        this.names = names;
    }

    /** Reads a field such as {@code 1-5,30/10} as the set of its values: bit n stands for the value n. */
    long read(String text) {
        long values = 0;
        for (String item : text.split(",", -1)) {
            values |= readItem(item, text);
        }
        return this == DAY_OF_WEEK ? (values | ((values >>> 7) & 1)) & 0x7f : values;
    }

    private List<String> names() {
        return names.isEmpty() ? List.of() : List.of(names.split(" "));
    }

    private long readItem(String item, String whole) {
        String[] stepped = item.split("/", -1);
        if (stepped.length > 2) {
            throw wrong(whole, "has two steps in \"" + item + "\"");
        }
        int step = stepped.length == 2 ? number(stepped[1], 1, max - min + 1, "step", whole) : 1;
        if (stepped[0].equals("*") || stepped[0].equals("?")) {
            return range(min, this == DAY_OF_WEEK ? 6 : max, step);
        }
        String[] ends = stepped[0].split("-", -1);
        if (ends.length > 2) {
            throw wrong(whole, "has two ranges in \"" + item + "\"");
        }
        int first = value(ends[0], whole);
        int last = ends.length == 2
                ? value(ends[1], whole)
                : stepped.length == 2 ? (this == DAY_OF_WEEK ? 6 : max) : first;
        if (first <= last) {
            return range(first, last, step);
        }
        if (this == DAY_OF_WEEK && step == 1) {
            return range(first, 6, 1) | range(0, last, 1);
        }
        throw wrong(whole, "has a range that ends before it begins: \"" + item + "\"");
    }

    /** A single value, as a number or a name. */
    int value(String text, String whole) {
        int named = names().indexOf(text.toUpperCase(Locale.ROOT));
        return named >= 0 ? named + (this == MONTH ? 1 : 0) : number(text, min, max, words, whole);
    }

    private int number(String text, int least, int most, String what, String whole) {
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            String problem = text.equals(whole) ? "is invalid " : "has the " + what + " \"" + text + "\" ";
            throw wrong(
                    whole,
                    problem + "(expected: " + least + " to " + most
                            + (names.isEmpty() || what.equals("step")
                                    ? ""
                                    : ", or " + names().getFirst() + " to " + names().getLast())
                            + ")");
        }
        return Integer.parseInt(text);
    }

    private static long range(int first, int last, int step) {
        long values = 0;
        for (int value = first; value <= last; value += step) {
            values |= 1L << value;
        }
        return values;
    }

    IllegalArgumentException wrong(String whole, String problem) {
        return new IllegalArgumentException("the field " + words + " \"" + whole + "\" " + problem);
    }
}
