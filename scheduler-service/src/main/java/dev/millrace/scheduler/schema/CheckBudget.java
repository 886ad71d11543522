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
    /** Budget of the check that the current thread runs. */
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private final Spending max;
    private int rules;
    private int patternChars;

    CheckBudget(ExecutionConfig config, Spending max) {
        super(config);
        this.max = max;
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
        if (++rules > max.rules()) {
            throw new Exceeded();
        }
        return super.getExecutionConfig();
    }

    void lookAtChar() {
        if (++patternChars > max.patternChars()) {
            throw new Exceeded();
        }
    }
}
