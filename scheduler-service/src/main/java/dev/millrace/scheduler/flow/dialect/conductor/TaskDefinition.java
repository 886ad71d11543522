package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How the tasks of one name are tried again and timed out.
 *
 * @param retries after the first attempt
 * @param logic how the waits between them grow
 * @param delay what they are made of
 * @param scale factor of {@link RetryLogic#LINEAR_BACKOFF}
 * @param delayMax longest wait, before the jitter is added
 * @param jitter longest random time added to a wait
 * @param timeout longest time of an attempt; absent for none
 * @param policy what its end means
 * @param responseTimeout longest time without a word from the worker; another attempt follows, whatever the policy
 * @param totalTimeout longest time of all attempts together
 * @param inputTemplate constants that the input has unless the task says otherwise
 * @param limit what tasks with this definition share; absent for none
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

    /** The values of {@link #inputTemplate}. */
    Map<String, JsonValue> constants() {
        Map<String, JsonValue> constants = new LinkedHashMap<>();
        inputTemplate.forEach((name, value) -> constants.put(name, ((Template.Constant) value).value()));
        return constants;
    }

    /** How waits grow. */
    enum RetryLogic {
        /** Always the delay. */
        FIXED,
        /** Delay · scale · (n + 1) after attempt n, from 0. */
        LINEAR_BACKOFF,
        /** Delay · 2^n after attempt n, from 0. */
        EXPONENTIAL_BACKOFF
    }

    /** What the end of the time of an attempt means. */
    enum TimeoutPolicy {
        /** Another attempt, where there is one left. */
        RETRY,
        /** The end of the workflow. */
        TIME_OUT_WF,
        /** Nothing but a note. */
        ALERT_ONLY
    }
}
