package dev.millrace.scheduler.flow.core.definition;

import java.time.Duration;
import java.time.Instant;

/** How large a flow and one of its transitions may be. */
public final class FlowLimits {
    /** Most steps of a definition, all lists together. */
    public static final int STEPS_MAX = 10_000;
    /** Most lists around a step, the flow's own included. */
    public static final int NESTING_MAX = 64;
    /** Most flows that a flow runs as a part of itself, those inside others included. */
    public static final int SUB_FLOWS_MAX = 100;
    /** Most steps of a flow, those of its sub-flows counted wherever they stand. */
    public static final int STEPS_WITH_SUB_FLOWS_MAX = 50_000;
    /** Most runs above a run, each of which waits for the one below. */
    public static final int CHILD_RUN_DEPTH_MAX = 50;
    /** Most iterations of one loop in progress at a time. */
    public static final int PARALLELISM_MAX = 1_000;
    /** Most items of one loop. */
    public static final int LOOP_ITEMS_MAX = 100_000;
    /** Most items of a loop that steps may see before it has ended. */
    public static final int SEEN_LOOP_ITEMS_MAX = 1_000;
    /** Most steps and iterations that begin or end at once, without a worker in between. */
    public static final int TRANSITION_WORK_MAX = 500_000;
    /** Most bytes of a resolved input or a gathered result, where nothing else is configured. */
    public static final int PAYLOAD_BYTES_MAX_DEFAULT = 4 * 1024 * 1024;

    /** Longest result, in characters or bytes, that a state folded from the history holds; longer ones are read when a step needs them. */
    public static final int RESULT_HELD_LENGTH_MAX = 4 * 1024;

    /** Longest wait for a time. */
    public static final Duration WAIT_MAX = Duration.ofDays(3_660);
    /** Longest time that a result is kept in the cache. */
    public static final Duration CACHE_TTL_MAX = Duration.ofDays(366);
    /** No wait goes on until this moment or a later one. */
    public static final Instant MOMENT_MAX = Instant.parse("3000-01-01T00:00:00Z");

    /** Begins a computed target that is a handler. */
    public static final String HANDLER_PREFIX = "handler:";

    private FlowLimits() {}
}
