package dev.millrace.scheduler.schema;

/**
 * What a check may cost at most.
 *
 * @param rules number of rules that it evaluates
 * @param patternChars number of characters that its patterns read, counting repeated reads
 */
record Spending(int rules, int patternChars) {
    /** Some milliseconds: almost every check needs less. */
    static final Spending SMALL = new Spending(2_000, 50_000);
    /** Some 100 ms, for a check that may be left out because another one follows. */
    static final Spending OPTIONAL = new Spending(100_000, 1_000_000);
    /** About a second. */
    static final Spending FULL = new Spending(1_000_000, 20_000_000);
}
