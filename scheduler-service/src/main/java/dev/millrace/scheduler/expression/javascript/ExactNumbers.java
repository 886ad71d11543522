package dev.millrace.scheduler.expression.javascript;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Restorer of digits that JavaScript's numbers cannot hold.
 *
 * <p>A number in the result may equal the nearest double of exactly one long number that the script read. The script is
 * then assumed to have passed that number on.
 */
final class ExactNumbers {
    /** Number of digits that a double always holds exactly. */
    private static final int DIGITS_ALWAYS_HELD = 15;

    private static final String AMBIGUOUS = "";
    private static final ExactNumbers NONE = new ExactNumbers(Map.of());

    private final Map<Double, String> digits;

    private ExactNumbers(Map<Double, String> digits) {
        this.digits = digits;
    }

    /** Collects the long numbers in JSON texts. */
    static ExactNumbers of(List<@Nullable String> texts) {
        Map<Double, String> digits = new HashMap<>();
        for (String text : texts) {
            if (text != null) {
                Numbers numbers = new Numbers(text);
                while (numbers.next()) {
                    digits.merge(numbers.value(), numbers.text(), (one, other) -> one.equals(other) ? one : AMBIGUOUS);
                }
            }
        }
        return digits.isEmpty() ? NONE : new ExactNumbers(digits);
    }

    /** Returns the result with its lost digits restored. */
    String restore(String result) {
        if (digits.isEmpty()) {
            return result;
        }
        StringBuilder restored = new StringBuilder(result.length());
        Numbers numbers = new Numbers(result);
        int copied = 0;
        while (numbers.next()) {
            String exact = digits.getOrDefault(numbers.value(), AMBIGUOUS);
            if (!exact.equals(AMBIGUOUS)) {
                restored.append(result, copied, numbers.start).append(exact);
                copied = numbers.end;
            }
        }
        return restored.append(result, copied, result.length()).toString();
    }

    /** Iterator over the long numbers of a JSON text. */
    private static final class Numbers {
        private final String json;
        private int start;
        private int end;

        Numbers(String json) {
            this.json = json;
        }

        boolean next() {
            int position = end;
            while (position < json.length()) {
                char c = json.charAt(position);
                start = position;
                if (c == '"') {
                    position = afterString(position + 1);
                } else if (c == '-' || isDigit(c)) {
                    end = afterNumber(position + 1);
                    position = end;
                    if (end - start > DIGITS_ALWAYS_HELD) {
                        return true;
                    }
                } else {
                    position++;
                }
            }
            return false;
        }

        private int afterString(int from) {
            int position = from;
            while (position < json.length() && json.charAt(position) != '"') {
                position += json.charAt(position) == '\\' ? 2 : 1;
            }
            return position + 1;
        }

        private int afterNumber(int from) {
            int position = from;
            while (position < json.length()
                    && (isDigit(json.charAt(position)) || ".eE+-".indexOf(json.charAt(position)) >= 0)) {
                position++;
            }
            return position;
        }

        private static boolean isDigit(char c) {
            return c >= '0' && c <= '9';
        }

        Double value() {
            return Double.valueOf(text());
        }

        String text() {
            return json.substring(start, end);
        }
    }
}
