package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Retries, timeouts and limits of all tasks with one name.
 *
 * @param retries after the first attempt
 * @param logic how delays grow from one retry to the next
 * @param delay base of the delays
 * @param scale factor of {@link RetryLogic#LINEAR_BACKOFF}
 * @param delayMax maximum delay, before jitter
 * @param jitter maximum random time added to a delay
 * @param timeout of an attempt; absent for none
 * @param policy what happens after that timeout
 * @param responseTimeout longest time without a response from the worker; another attempt follows, whatever the policy
 * @param totalTimeout of all attempts together
 * @param inputTemplate constants in the input that the task may override
 * @param limit shared by all tasks with this definition; absent for none
 */
record TaskDefinition(
        int retries,
        RetryLogic logic,
        Duration delay,
        int scale,
        Optional<Duration> delayMax,
        Duration jitter,
        Optional<Duration> timeout,
        TimeoutPolicy policy,
        Duration responseTimeout,
        Optional<Duration> totalTimeout,
        Map<String, Template> inputTemplate,
        Optional<TaskOptions.Limit> limit) {
    static final int RETRIES_DEFAULT = 3;
    static final Duration DELAY_DEFAULT = Duration.ofMinutes(1);
    static final Duration RESPONSE_TIMEOUT_DEFAULT = Duration.ofHours(1);
    /** A definition that sets nothing. */
    static final TaskDefinition DEFAULT = new TaskDefinition(
            RETRIES_DEFAULT,
            RetryLogic.FIXED,
            DELAY_DEFAULT,
            1,
            Optional.empty(),
            Duration.ZERO,
            Optional.empty(),
            TimeoutPolicy.TIME_OUT_WF,
            RESPONSE_TIMEOUT_DEFAULT,
            Optional.empty(),
            Map.of(),
            Optional.empty());

    /** The values of {@link #inputTemplate}. */
    Map<String, JsonValue> constants() {
        Map<String, JsonValue> constants = new LinkedHashMap<>();
        inputTemplate.forEach((name, value) -> constants.put(name, ((Template.Constant) value).value()));
        return constants;
    }

    /** Growth of the delays between attempts. */
    enum RetryLogic {
        /** The delay itself. */
        FIXED,
        /** Delay · scale · (n + 1) after attempt n, from 0. */
        LINEAR_BACKOFF,
        /** Delay · 2^n after attempt n, from 0. */
        EXPONENTIAL_BACKOFF
    }

    /** Reaction to the timeout of an attempt. */
    enum TimeoutPolicy {
        /** Another attempt, if one is left. */
        RETRY,
        /** Failure of the workflow. */
        TIME_OUT_WF,
        /** No reaction; Conductor only counts it. */
        ALERT_ONLY
    }
}
