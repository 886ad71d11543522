package dev.millrace.scheduler.webhook.core;

/** Comparisons whose time does not depend on where two values differ. */
final class ConstantTime {
    private ConstantTime() {}

    /** Whether the bytes are equal. The time depends on the length of {@code given} alone, which its sender knows. */
    static boolean equal(byte[] expected, byte[] given) {
        int difference = expected.length ^ given.length;
        for (int i = 0; i < given.length; i++) {
            difference |= given[i] ^ (i < expected.length ? expected[i] : 0);
        }
        return difference == 0;
    }
}
