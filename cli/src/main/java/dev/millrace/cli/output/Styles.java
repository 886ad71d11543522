package dev.millrace.cli.output;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Which colors and styles of text a job may use: {@code ESC [ 1;31 m} and the like, as long as the text stays there to be read. */
final class Styles {
    /** Most characters of a sequence between its escape character and its end. */
    static final int LENGTH_MAX = 40;

    private static final int NUMBER_LENGTH_MAX = 3;

    private Styles() {}

    static boolean isParameter(int character) {
        return (character >= '0' && character <= '9') || character == ';';
    }

    /** Whether all of these numbers are known and none of them hides text or makes it blink. */
    static boolean areHarmless(String parameters) {
        Deque<String> numbers = new ArrayDeque<>(Arrays.asList(parameters.split(";", -1)));
        while (!numbers.isEmpty()) {
            if (!isHarmless(number(numbers), numbers)) {
                return false;
            }
        }
        return true;
    }

    /** Whether these numbers end all styles. */
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

    /** {@code 5;N} is a color of the palette, {@code 2;R;G;B} any. */
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

    /** The first number, which is 0 where it is left out; -1 where there is none or it is too long. */
    private static int number(Deque<String> numbers) {
        String first = numbers.poll();
        if (first == null || first.length() > NUMBER_LENGTH_MAX) {
            return -1;
        }
        return first.isEmpty() ? 0 : Integer.parseInt(first);
    }
}
