package dev.millrace.scheduler.schema;

import com.networknt.schema.regex.RegularExpression;
import java.util.regex.Pattern;

/**
 * A regular expression that may match anywhere in a text, and whose search stops when the {@link CheckBudget} is used
 * up.
 */
record BoundedPattern(Pattern pattern) implements RegularExpression {
    static BoundedPattern of(String regex) {
        return new BoundedPattern(Pattern.compile(regex));
    }

    @Override
    public boolean matches(String value) {
        CharSequence text = CheckBudget.CURRENT.isBound() ? new Counted(value, CheckBudget.CURRENT.get()) : value;
        return pattern.matcher(text).find();
    }

    private record Counted(String text, CheckBudget budget) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            budget.lookAtChar();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.substring(start, end), budget);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
