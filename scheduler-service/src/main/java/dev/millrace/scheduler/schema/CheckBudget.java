package dev.millrace.scheduler.schema;

import com.networknt.schema.ExecutionConfig;
import com.networknt.schema.ExecutionContext;

/**
 * Limit on the cost of one check.
 *
 * <p>A schema of a few lines can cause endless work, by references that double with each level or by patterns that
 * backtrack. The check therefore counts its steps and gives up. The library requests the configuration once for each
 * rule that it checks, and this class counts these requests.
 */
final class CheckBudget extends ExecutionContext {
    /** Maximum number of rules that one check evaluates: about a second of work. */
    static final int RULES_MAX = 1_000_000;
    /** The same for a check that may be left out because another one follows: some 100 ms of work. */
    static final int RULES_FEW = 100_000;
    /** Maximum number of characters that the patterns of one check read, counting repeated reads. */
    static final int PATTERN_CHARS_MAX = 20_000_000;

    /** Budget of the check that the current thread runs. */
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private final int rulesMax;
    private int rules;
    private int patternChars;

    CheckBudget(ExecutionConfig config, int rulesMax) {
        super(config);
        this.rulesMax = rulesMax;
    }

    /**
     * Signals that the budget is used up. It is an Error, because the library catches and logs every RuntimeException.
     */
    static final class Exceeded extends Error {
        Exceeded() {
            super("a check costs more than it may", null, false, false);
        }
    }

    @Override
    public ExecutionConfig getExecutionConfig() {
        if (++rules > rulesMax) {
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
