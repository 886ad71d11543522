package dev.millrace.scheduler.schema;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;

/**
 * What one check may cost. A schema of a few lines can ask for endless work, by references that double with each level or by patterns that
 * backtrack; the check counts what it does and gives up. The library asks for the configuration once for each rule that it looks at, which
 * is what is counted here.
 */
final class CheckBudget extends ExecutionContext {
    /** Most rules that one check looks at: about a second of work. */
    static final int RULES_MAX = 1_000_000;
    /** Most characters that the patterns of one check look at, again and again included. */
    static final int PATTERN_CHARS_MAX = 20_000_000;

    /** The budget of the check that this thread makes. */
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private int rules;
    private int patternChars;

    CheckBudget(ExecutionConfig config) {
        super(config);
    }

    /** The budget is used up. No RuntimeException, since the library catches and logs those. */
    static final class Exceeded extends Error {
        Exceeded() {
            super("a check costs more than it may", null, false, false);
        }
    }

    @Override
    public ExecutionConfig getExecutionConfig() {
        if (++rules > RULES_MAX) {
            throw new Exceeded();
        }
        return super.getExecutionConfig();
    }

    void lookAtChar() {
        if (++patternChars > PATTERN_CHARS_MAX) {
            throw new Exceeded();
        }
    }
}
