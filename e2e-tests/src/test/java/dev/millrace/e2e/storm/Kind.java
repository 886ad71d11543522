package dev.millrace.e2e.storm;

import java.util.List;
import java.util.Map;

/** Kind of a storm's run: its flow or script, its expected end, and the operation on it. */
enum Kind {
    SCRIPT("python job", "succeeded", Operation.NONE),
    DENO("deno job", "succeeded", Operation.NONE),
    SEQUENCE("sequence", "succeeded", Operation.NONE),
    LOOP("loop", "succeeded", Operation.NONE),
    WHILE("while", "succeeded", Operation.NONE),
    BRANCHES("branches", "succeeded", Operation.NONE),
    SWITCH("switch", "succeeded", Operation.NONE),
    RETRIES("retries", "succeeded", Operation.NONE),
    SUBFLOW("subflow", "succeeded", Operation.NONE),
    CHILD_RUN("child", "succeeded", Operation.NONE),
    DYNAMIC("dynamic", "succeeded", Operation.NONE),
    LIMITED("limited", "succeeded", Operation.NONE),
    MUTEX("mutex", "succeeded", Operation.NONE),
    TIMER("timer", "succeeded", Operation.NONE),
    SAME_WORKER("same-worker", "succeeded", Operation.NONE),
    CACHED("cached", "succeeded", Operation.NONE),
    CACHED_RUN("cached-run", "succeeded", Operation.NONE),
    DEBOUNCED("debounced", "succeeded", Operation.NONE),
    FAILING("failing", "failed", Operation.NONE),
    SIGNALED("held", "succeeded", Operation.SIGNAL),
    SKIPPED("held", "succeeded", Operation.SKIP),
    PAUSED("timer", "succeeded", Operation.PAUSE_AND_RESUME),
    CANCELED("long", "canceled", Operation.CANCEL),
    CANCELED_CHILD("long-child", "canceled", Operation.CANCEL),
    RETRIED("needs-file", "succeeded", Operation.RETRY),
    BULK_SKIPPED("held", "succeeded", Operation.BULK_SKIP),
    BULK_CANCELED("held", "canceled", Operation.BULK_CANCEL),
    BULK_PAUSED("timer", "succeeded", Operation.BULK_PAUSE_AND_RESUME);

    /** Operation on the run after its submission. */
    enum Operation {
        NONE,
        SIGNAL,
        SKIP,
        PAUSE_AND_RESUME,
        CANCEL,
        RETRY,
        BULK_SKIP,
        BULK_CANCEL,
        BULK_PAUSE_AND_RESUME;

        boolean isBulk() {
            return name().startsWith("BULK");
        }
    }

    /** Result of a skip or payload of a signal, in place of the wait's result. */
    static final int HANDED_IN = 7;

    /** Number of distinct results that cached runs share. */
    static final int CACHED_VALUES = 5;

    private static final int DEBOUNCED_SUBMISSIONS = 5;
    private static final int MODULUS = 1_000_003;
    private static final int ROUNDS = 3;
    private static final int ITEMS = 4;

    private final String flow;
    private final String endState;
    private final Operation operation;

    Kind(String flow, String endState, Operation operation) {
        this.flow = flow;
        this.endState = endState;
        this.operation = operation;
    }

    String endState() {
        return endState;
    }

    Operation operation() {
        return operation;
    }

    /** Number of submissions. Those of a debounced run are merged if they arrive close together. */
    int submissions() {
        return this == DEBOUNCED ? DEBOUNCED_SUBMISSIONS : 1;
    }

    Map<String, Object> target() {
        return switch (this) {
            case SCRIPT -> Map.of("script", "storm/step.py");
            case DENO -> Map.of("script", "storm/step.ts");
            default -> Map.of("flow", "storm/" + flow);
        };
    }

    /**
     * Expected output of a run of this kind for its value; for a debounced run, the value of the last merged
     * submission.
     */
    Object output(int value) {
        int once = step(value);
        return switch (this) {
            case SCRIPT, DENO -> once;
            case SEQUENCE, SUBFLOW, CHILD_RUN -> step(step(once));
            case LOOP, LIMITED -> sumOfItems(value);
            case WHILE -> ROUNDS;
            case BRANCHES -> List.of(once, step(value + 1), step(value + 2));
            case SWITCH -> value % 2 == 0 ? once : step(once);
            case RETRIES, MUTEX, RETRIED -> once;
            case DYNAMIC -> step(step(step(once)));
            case TIMER, PAUSED, BULK_PAUSED -> step(once);
            case SAME_WORKER -> step(step(step(once)));
            case CACHED, CACHED_RUN -> step(value % CACHED_VALUES);
            case DEBOUNCED -> once;
            case SIGNALED, SKIPPED, BULK_SKIPPED -> step(once + HANDED_IN);
            case FAILING, CANCELED, CANCELED_CHILD, BULK_CANCELED -> "nothing";
        };
    }

    /** Computation of each step. */
    private static int step(int value) {
        return (int) ((value * 3L + 1) % MODULUS);
    }

    private static int sumOfItems(int value) {
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += step(value + i);
        }
        return sum;
    }
}
