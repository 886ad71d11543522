package dev.millrace.scheduler.flow.core.definition;

import dev.millrace.scheduler.expression.JsonStrings;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The options that a single job uses instead of those of its step.
 *
 * @param timeout longest time of an attempt; absent to use the timeout of the step
 * @param retry absent to use the retry policy of the step
 * @param limit absent to use the limit of the step
 */
public record JobOverrides(Optional<Duration> timeout, Optional<RetryPolicy> retry, Optional<JobLimit> limit) {
    /** No overrides: the job uses the options of its step. */
    public static final JobOverrides NONE = new JobOverrides(Optional.empty(), Optional.empty(), Optional.empty());

    private static final List<String> KEYS = List.of("timeout", "retry", "limit");
    private static final List<String> RETRY_KEYS =
            List.of("phases", "max_delay", "jitter", "random_delay", "after_timeout");
    private static final List<String> PHASE_KEYS = List.of("shape", "max_retries", "delay", "factor", "steady");
    private static final List<String> LIMIT_KEYS = List.of("key", "max", "rate");
    private static final List<String> RATE_KEYS = List.of("count", "per");

    public JobOverrides {
        if (timeout.isPresent()
                && (timeout.get().toMillis() < 1 || timeout.get().compareTo(JobOptions.TIMEOUT_LIMIT) > 0)) {
            throw new IllegalArgumentException("timeout: " + Durations.text(timeout.get())
                    + " (expected: more than 0s, at most " + Durations.text(JobOptions.TIMEOUT_LIMIT) + ")");
        }
    }

    /**
     * Reads an object with any of the members {@code timeout}, {@code retry} and {@code limit}, named as in the dialect
     * {@code millrace}. Null means no overrides.
     * <ul>
     * <li>A retry policy is {@code {phases: [{shape, max_retries, delay, factor, steady}], max_delay, jitter,
     *   random_delay, after_timeout}}. Without phases, it never retries.
     * <li>A limit is {@code {key, max, rate: {count, per}}}.
     * </ul>
     *
     * @throws IllegalArgumentException if the value has any other form; the message is not a full sentence
     */
    public static JobOverrides read(JsonValue value) {
        if (value.isNull()) {
            return NONE;
        }
        Members members = new Members("overrides", value, KEYS);
        return new JobOverrides(
                members.duration("timeout"),
                members.object("retry", RETRY_KEYS).map(JobOverrides::retry),
                members.object("limit", LIMIT_KEYS).map(JobOverrides::limit));
    }

    /** Writes the overrides in the form that {@link #read} reads; null if there are none. */
    public JsonValue json() {
        Map<String, String> members = new LinkedHashMap<>();
        timeout.ifPresent(time -> members.put("timeout", text(time)));
        retry.ifPresent(policy -> members.put("retry", object(members(policy))));
        limit.ifPresent(shared -> members.put("limit", object(members(shared))));
        return members.isEmpty() ? JsonValue.NULL : JsonValue.of(object(members));
    }

    private static Map<String, String> members(RetryPolicy policy) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put(
                "phases",
                policy.phases().stream()
                        .map(phase -> object(members(phase)))
                        .collect(Collectors.joining(",", "[", "]")));
        if (!policy.delayMax().equals(RetryPolicy.DELAY_MAX_DEFAULT)) {
            members.put("max_delay", text(policy.delayMax()));
        }
        if (policy.jitter() > 0) {
            members.put("jitter", Double.toString(policy.jitter()));
        }
        if (policy.randomDelay().isPositive()) {
            members.put("random_delay", text(policy.randomDelay()));
        }
        if (!policy.afterTimeout()) {
            members.put("after_timeout", "false");
        }
        return members;
    }

    private static Map<String, String> members(RetryPhase phase) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("shape", JsonStrings.quote(phase.shape().name().toLowerCase(Locale.ROOT)));
        members.put("max_retries", Integer.toString(phase.retries()));
        members.put("delay", text(phase.delay()));
        members.put("factor", Double.toString(phase.factor()));
        if (phase.steady()) {
            members.put("steady", "true");
        }
        return members;
    }

    private static Map<String, String> members(JobLimit limit) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("key", JsonStrings.quote(limit.key()));
        limit.max().ifPresent(max -> members.put("max", Integer.toString(max)));
        limit.rate()
                .ifPresent(rate ->
                        members.put("rate", "{\"count\":" + rate.count() + ",\"per\":" + text(rate.per()) + "}"));
        return members;
    }

    private static String text(Duration duration) {
        return JsonStrings.quote(duration.toMillis() + "ms");
    }

    private static String object(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> JsonStrings.quote(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static RetryPolicy retry(Members retry) {
        return new RetryPolicy(
                retry.objects("phases", PHASE_KEYS).stream()
                        .map(JobOverrides::phase)
                        .toList(),
                retry.duration("max_delay").orElse(RetryPolicy.DELAY_MAX_DEFAULT),
                retry.number("jitter").orElse(0.0),
                retry.duration("random_delay").orElse(Duration.ZERO),
                retry.bool("after_timeout").orElse(true));
    }

    private static RetryPhase phase(Members phase) {
        return new RetryPhase(
                phase.text("shape").map(JobOverrides::shape).orElse(RetryPhase.Shape.CONSTANT),
                phase.whole("max_retries").orElse(0),
                phase.duration("delay").orElse(Duration.ZERO),
                phase.number("factor").orElse(1.0),
                phase.bool("steady").orElse(false));
    }

    private static RetryPhase.Shape shape(String name) {
        return Arrays.stream(RetryPhase.Shape.values())
                .filter(shape -> shape.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "shape: \"" + name + "\" (expected: constant, linear, exponential or power)"));
    }

    private static JobLimit limit(Members limit) {
        String key = limit.text("key").orElse("");
        if (JobLimit.isOfWorkspace(key)) {
            throw new IllegalArgumentException("key: \"" + key
                    + "\" (expected: no \"/\" at the beginning, since a computed key is one of the folder)");
        }
        return new JobLimit(
                key,
                limit.whole("max").map(OptionalInt::of).orElseGet(OptionalInt::empty),
                limit.object("rate", RATE_KEYS)
                        .map(rate -> new JobLimit.Rate(
                                rate.whole("count").orElse(0),
                                rate.duration("per").orElse(Duration.ZERO))));
    }
}
