package dev.millrace.bench.measure;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that a workload did what it measures. */
public final class Check {
    private Check() {}

    public static void equal(String what, @Nullable Object expected, @Nullable Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new WrongResult("The figures are void: " + what + " is " + actual + " (expected: " + expected + ").");
        }
    }

    public static void that(String what, boolean holds) {
        equal(what, true, holds);
    }

    /** The work was wrong, so its figures are void. */
    public static final class WrongResult extends RuntimeException {
        WrongResult(String message) {
            super(message);
        }
    }
}
