package dev.millrace.scheduler.expression.javascript;

import java.time.Duration;

/** Limits of one evaluation. */
final class Limits {
    /** Maximum processor time of one evaluation. */
    static final Duration WORK_MAX = Duration.ofMillis(100);
    /** Additional processor time for each character that an evaluation reads and therefore has to parse. */
    static final Duration WORK_PER_CHAR = Duration.ofNanos(100);
    /** Maximum characters of all values that one evaluation reads. */
    static final int INPUT_CHARS_MAX = 1 << 20;
    /**
     * Maximum elapsed time of one evaluation, which allows for a busy machine that leaves its thread without a
     * processor.
     */
    static final Duration WAIT_MAX = Duration.ofSeconds(10);
    /** Maximum processor time for checking one script. */
    static final Duration PARSE_MAX = Duration.ofSeconds(2);

    /** Maximum number of statements that one evaluation executes. */
    static final long STATEMENTS_MAX = 2_000_000;
    /** Maximum bytes that one evaluation may allocate, including garbage. */
    static final long ALLOCATED_BYTES_MAX = 128L << 20;
    /** Maximum characters of a string, and of the result. */
    static final int STRING_CHARS_MAX = 4 << 20;
    /** Maximum length of an array that built-in functions iterate over. */
    static final int ARRAY_LENGTH_MAX = 1_000_000;
    /** Maximum number of arguments of a call. */
    static final int ARGUMENTS_MAX = 50_000;
    /** Maximum number of brackets of a script that are open at once. Each takes stack space in the engine's parser. */
    static final int NESTING_MAX = 200;
    /** Maximum characters of one script. */
    static final int SOURCE_CHARS_MAX = 65_536;
    /** Maximum number of functions that a realm keeps. */
    static final int FUNCTIONS_KEPT_MAX = 2_000;

    private Limits() {}
}
