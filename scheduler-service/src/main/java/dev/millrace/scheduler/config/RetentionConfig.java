package dev.millrace.scheduler.config;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The retention ages that the operator has set. The retention rules define which keys exist.
 *
 * @param ages by full key, such as {@code millrace.retention.history}
 */
public record RetentionConfig(Map<String, Duration> ages) {
    /** Prefix of the keys. */
    public static final String SECTION = "millrace.retention.";
    /** Longer than any installation lives, and within the range of Postgres's timestamps. */
    private static final Duration AGE_MAX = Duration.ofDays(36_500);

    public RetentionConfig {
        ages = Map.copyOf(ages);
        ages.forEach((key, age) -> Expect.that(
                age.toMillis() > 0 && age.compareTo(AGE_MAX) <= 0, key, age, "more than 0s, at most 36500d"));
    }

    public Optional<Duration> age(String key) {
        return Optional.ofNullable(ages.get(key));
    }

    /** Fails with the nearest known key if a key is unknown. */
    public void requireKnown(Set<String> known) {
        KnownKeys.requireAmong(ages.keySet(), known);
    }
}
