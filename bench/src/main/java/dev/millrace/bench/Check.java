package dev.millrace.bench;

import java.util.Objects;

/** Says where a workload did not do what it measured. */
final class Check {
    private Check() {}

    static void equal(String what, Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new IllegalStateException(
                    "The figures are void: " + what + " is " + actual + " (expected: " + expected + ").");
        }
    }
}
