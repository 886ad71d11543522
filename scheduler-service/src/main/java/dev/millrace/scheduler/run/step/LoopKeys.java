package dev.millrace.scheduler.run.step;

import java.util.Set;
import java.util.regex.Pattern;

/** Finds the iterations in the keys of steps: {@code count[3].tokenize} is in iteration 3 of {@code count}. */
final class LoopKeys {
    /** Loops with more iterations than this are folded. */
    static final int INLINE_ITERATIONS_MAX = 20;

    /** Matches the keys of steps inside an iteration that only folded loops have, as Postgres understands it. */
    static final String FOLDED_PATTERN = "\\[([2-9][0-9]|[0-9]{3,})\\]";

    /** Matches the key of an iteration or a branch. */
    private static final Pattern ITERATION = Pattern.compile("[^\\s]+\\]");

    /** Digits of a number that fits an {@code int}. */
    private static final int DIGITS_MAX = 9;

    private LoopKeys() {}

    /** The number between two brackets; -1 for the name of a branch. */
    static int number(String key, int open, int close) {
        if (close <= open + 1 || close - open - 1 > DIGITS_MAX) {
            return -1;
        }
        int number = 0;
        for (int i = open + 1; i < close; i++) {
            int digit = key.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** The innermost iteration or branch around a step or loop, with its brackets; empty if there is none. */
    static String scopeOf(String key) {
        return key.substring(0, key.lastIndexOf(']') + 1);
    }

    /** Whether a step stands inside an iteration that only folded loops have. */
    static boolean isFolded(String key) {
        int open = key.indexOf('[');
        while (open >= 0) {
            int close = key.indexOf(']', open);
            if (close < 0) {
                return false;
            }
            if (number(key, open, close) >= INLINE_ITERATIONS_MAX) {
                return true;
            }
            open = key.indexOf('[', close);
        }
        return false;
    }

    /** Whether a step stands inside one of these loops. */
    static boolean isInside(String key, Set<String> loops) {
        for (int open = key.indexOf('['); open >= 0; open = key.indexOf('[', open + 1)) {
            if (loops.contains(key.substring(0, open))) {
                return true;
            }
        }
        return false;
    }

    static boolean isIteration(String key) {
        return ITERATION.matcher(key).matches();
    }
}
