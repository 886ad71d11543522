package dev.millrace.scheduler.expression.javascript;

import java.time.Duration;

/** What one evaluation may take. */
final class Limits {
    /** Longest work of one evaluation, in processor time of its thread. */
    static final Duration WORK_MAX = Duration.ofMillis(100);
    /** Work allowed in addition for each character that an evaluation reads, because it is parsed first. */
    static final Duration WORK_PER_CHAR = Duration.ofNanos(100);
    /** Most characters of all that one evaluation reads. */
    static final int INPUT_CHARS_MAX = 1 << 20;
    /** Longest wait for one evaluation: where the machine is busy, its thread may not get a processor. */
    static final Duration WAIT_MAX = Duration.ofSeconds(10);
    /** Longest work of checking one script. */
    static final Duration PARSE_MAX = Duration.ofSeconds(2);

    /** Most statements of one evaluation. */
    static final long STATEMENTS_MAX = 2_000_000;
    /** Most bytes that one evaluation may allocate, garbage included. */
    static final long ALLOCATED_BYTES_MAX = 128L << 20;
    /** Most characters of a string; of the result, too. */
    static final int STRING_CHARS_MAX = 4 << 20;
    /** Most elements of an array that built-in functions go through. */
    static final int ARRAY_LENGTH_MAX = 1_000_000;
    /** Most arguments of a call. */
    static final int ARGUMENTS_MAX = 50_000;
    /** Most brackets of a script that are open at once: each costs the engine's parser a part of its stack. */
    static final int NESTING_MAX = 200;
    /** Most characters of one script. */
    static final int SOURCE_CHARS_MAX = 65_536;
    /** Most functions that a realm keeps. */
    static final int FUNCTIONS_KEPT_MAX = 2_000;

    private Limits() {}
}
