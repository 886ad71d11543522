package dev.millrace.scheduler.flow.core.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.RetryPhase;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobOverridesTest {
    @Test
    void readsWhatItWrote() {
        RetryPolicy retry = new RetryPolicy(
                List.of(
                        RetryPhase.power(2, Duration.ofSeconds(3), 4).steady(true),
                        RetryPhase.constant(1, Duration.ofMillis(5))),
                Duration.ofMinutes(1),
                0.5,
                Duration.ofSeconds(1),
                false);
        JobLimit limit =
                new JobLimit("\"k\"", OptionalInt.of(3), Optional.of(new JobLimit.Rate(2, Duration.ofMinutes(1))));
        for (JobOverrides overrides : List.of(
                JobOverrides.NONE,
                new JobOverrides(Optional.of(Duration.ofSeconds(9)), Optional.empty(), Optional.empty()),
                new JobOverrides(Optional.empty(), Optional.of(RetryPolicy.NONE), Optional.empty()),
                new JobOverrides(Optional.of(Duration.ofMillis(1)), Optional.of(retry), Optional.of(limit)))) {
            assertThat(JobOverrides.read(overrides.json())).isEqualTo(overrides);
        }
    }

    @Test
    void readsDurationsAsPeopleWriteThem() {
        assertThat(JobOverrides.read(JsonValue.of("{\"timeout\": 2.5, \"retry\": null}"))
                        .timeout())
                .contains(Duration.ofMillis(2_500));
        assertThat(JobOverrides.read(JsonValue.of("{\"timeout\": \"1h 30m\"}")).timeout())
                .contains(Duration.ofMinutes(90));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            7                     | overrides: 7 (expected: an object)
            {"tag": "x"}          | tag: unknown member of overrides (expected: timeout, retry, limit)
            {"timeout": "soon"}   | timeout: "soon" (expected: seconds as a number, or a duration such as 5m)
            {"timeout": 0}        | timeout: 0s (expected: more than 0s, at most 30d)
            {"timeout": 1e7}      | timeout: 10000000s (expected: more than 0s, at most 30d)
            {"retry": []}         | retry: [] (expected: an object)
            {"retry": {"phases": {}}}                      | phases: {} (expected: an array)
            {"retry": {"phases": [{"max_retries": 0}]}}    | max_retries: 0 (expected: 1 to 100000)
            {"retry": {"phases": [{"max_retries": 1e9}]}}  | max_retries: 1000000000 (expected: 1 to 100000)
            {"retry": {"phases": [{"max_retries": 1.5}]}}  | max_retries: 1.5 (expected: a whole number)
            {"retry": {"phases": [{"max_retries": "1"}]}}  | max_retries: "1" (expected: a number)
            {"retry": {"phases": [{"shape": "round"}]}}    | shape: "round" (expected: constant, linear, exponential or power)
            {"retry": {"jitter": 2}}                       | jitter: 2.0 (expected: 0 to 1)
            {"retry": {"after_timeout": "no"}}             | after_timeout: "no" (expected: true or false)
            {"limit": {"max": 1}}                          | key: "" (expected: 1 to 256 characters)
            {"limit": {"key": "k"}}                        | limit of "k": neither max nor rate (expected: one of them)
            """)
    void explainsWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> JobOverrides.read(JsonValue.of(json)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
