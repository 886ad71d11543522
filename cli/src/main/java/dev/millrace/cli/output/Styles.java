package dev.millrace.cli.output;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Colors and styles of text that a job may use: {@code ESC [ 1;31 m} and the like, if the text stays readable. */
final class Styles {
    /** Largest number of characters between a sequence's escape character and its end. */
    static final int LENGTH_MAX = 40;

    private static final int NUMBER_LENGTH_MAX = 3;

    private Styles() {}

    static boolean isParameter(int character) {
        return (character >= '0' && character <= '9') || character == ';';
    }

    /** Whether all of these codes are known, and none hides text or makes it blink. */
    static boolean areHarmless(String parameters) {
        Deque<String> numbers = new ArrayDeque<>(Arrays.asList(parameters.split(";", -1)));
        while (!numbers.isEmpty()) {
            if (!isHarmless(number(numbers), numbers)) {
                return false;
            }
        }
        return true;
    }

    /** Whether these codes end all styles. */
    static boolean isReset(String parameters) {
        return parameters.chars().allMatch(c -> c == '0' || c == ';');
    }

    private static boolean isHarmless(int style, Deque<String> rest) {
        return switch (style) {
            case 38, 48, 58 -> takesColor(rest);
            // Slow and fast blinking, hidden text, other fonts.
            case 5, 6, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 -> false;
            default -> (style >= 0 && style <= 59) || (style >= 90 && style <= 107);
        };
    }

    /** Reads a color: {@code 5;N} is one of the palette, {@code 2;R;G;B} any. */
    private static boolean takesColor(Deque<String> rest) {
        int left = switch (number(rest)) {
            case 5 -> 1;
            case 2 -> 3;
            default -> -1;
        };
        if (left < 0 || rest.size() < left) {
            return false;
        }
        for (int i = 0; i < left; i++) {
            if (number(rest) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Removes the first number. Returns 0 if it is left out, -1 if there is none or it is too long. */
    private static int number(Deque<String> numbers) {
        String first = numbers.poll();
        if (first == null || first.length() > NUMBER_LENGTH_MAX) {
            return -1;
        }
        return first.isEmpty() ? 0 : Integer.parseInt(first);
    }
}
