package dev.millrace.scheduler.trace.core;

/** Which steps of a traced run have spans, and where these belong. Works on the keys of steps. */
public final class TracedSteps {
    /**
     * Iterations of each loop whose steps are traced: the first ones. Further iterations only have spans for steps that
     * failed, so that a long loop does not drown its run.
     */
    public static final int ITERATIONS_MAX = 32;

    private TracedSteps() {}

    /** Whether a step is traced even if it succeeds: whether all iterations around it are among the first. */
    public static boolean isDetailed(String stepKey) {
        int open = stepKey.indexOf('[');
        while (open >= 0) {
            int close = stepKey.indexOf(']', open);
            if (close < 0) {
                return true;
            }
            if (isLate(stepKey, open + 1, close)) {
                return false;
            }
            open = stepKey.indexOf('[', close);
        }
        return true;
    }

    /** Whether the text is the number of an iteration beyond the first ones; names of branches are no numbers. */
    private static boolean isLate(String key, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            char digit = key.charAt(i);
            if (digit < '0' || digit > '9') {
                return false;
            }
            number = Math.min(ITERATIONS_MAX, number * 10 + (digit - '0'));
        }
        return to > from && number >= ITERATIONS_MAX;
    }

    /** The key of the container around a step; empty if the step stands in the run itself. */
    public static String containerOf(String stepKey) {
        int depth = 0;
        for (int i = stepKey.length() - 1; i >= 0; i--) {
            char c = stepKey.charAt(i);
            if (c == ']') {
                depth++;
            } else if (c == '[' && --depth == 0) {
                return stepKey.substring(0, i);
            } else if (c == '.' && depth == 0) {
                String scope = stepKey.substring(0, i);
                return scope.endsWith("]") ? containerOf(scope) : scope;
            }
        }
        return "";
    }

    /** The id of a step without the iterations around it, which names few things: {@code count.tokenize}. */
    public static String nameOf(String stepKey) {
        if (stepKey.indexOf('[') < 0) {
            return stepKey;
        }
        StringBuilder name = new StringBuilder(stepKey.length());
        int depth = 0;
        for (int i = 0; i < stepKey.length(); i++) {
            char c = stepKey.charAt(i);
            if (c == '[') {
                depth++;
            } else if (c == ']') {
                depth--;
            } else if (depth == 0) {
                name.append(c);
            }
        }
        return name.toString();
    }
}
