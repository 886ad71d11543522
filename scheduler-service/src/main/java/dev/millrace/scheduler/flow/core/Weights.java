package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;

/** Rough bytes of the parts of a state. */
final class Weights {
    static final long CHAR = 2;
    static final long NODE = 24;
    static final long SCOPE = 160;
    static final long KEY = 96;
    static final long VALUE = 64;

    private Weights() {}

    static long of(JsonValue value) {
        return VALUE + CHAR * value.length();
    }
}
