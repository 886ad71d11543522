package dev.millrace.scheduler.flow.core.definition;

import java.time.Duration;
import java.time.Instant;

/** Upper bounds for the size of a flow and of a single transition. */
public final class FlowLimits {
    /** Maximum number of steps of a definition, in all its lists together. */
    public static final int STEPS_MAX = 10_000;
    /** Maximum number of nested lists around a step, including the flow's own list. */
    public static final int NESTING_MAX = 64;
    /** Maximum number of distinct sub-flows of a flow, including the sub-flows of sub-flows. */
    public static final int SUB_FLOWS_MAX = 100;
    /** Maximum number of steps of a flow. The steps of a sub-flow count once for each place that runs it. */
    public static final int STEPS_WITH_SUB_FLOWS_MAX = 50_000;
    /** Maximum depth of child runs: how many ancestors of a run may be waiting for it. */
    public static final int CHILD_RUN_DEPTH_MAX = 50;
    /** Maximum number of iterations of a loop that are in progress at the same time. */
    public static final int PARALLELISM_MAX = 1_000;
    /** Maximum number of items of a loop. */
    public static final int LOOP_ITEMS_MAX = 100_000;
    /** Maximum number of items that steps may read from a loop in progress. */
    public static final int SEEN_LOOP_ITEMS_MAX = 1_000;
    /** Maximum number of steps and iterations that may begin or end in one transition, with no worker involved. */
    public static final int TRANSITION_WORK_MAX = 500_000;
    /** Maximum size of a resolved input or a gathered result, in bytes, unless the operator configures another one. */
    public static final int PAYLOAD_BYTES_MAX_DEFAULT = 4 * 1024 * 1024;

    /**
     * Maximum length of a result that a state folded from the history keeps in memory, in characters or bytes. Longer
     * results are loaded when a step needs them.
     */
    public static final int RESULT_HELD_LENGTH_MAX = 4 * 1024;

    /** Longest delay that a wait may have. */
    public static final Duration WAIT_MAX = Duration.ofDays(3_660);
    /** Longest time that the cache keeps a result. */
    public static final Duration CACHE_TTL_MAX = Duration.ofDays(366);
    /** Exclusive upper bound of the moment that a wait may end at. */
    public static final Instant MOMENT_MAX = Instant.parse("3000-01-01T00:00:00Z");

    /** Prefix that marks a computed target as a handler. */
    public static final String HANDLER_PREFIX = "handler:";

    private FlowLimits() {}
}
