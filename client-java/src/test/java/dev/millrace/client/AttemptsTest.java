package dev.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status.Code;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class AttemptsTest {
    private long now;
    private double random = 1;

    @Test
    void delaysDoubleUpToALimit() {
        Attempts attempts =
                attempts(new Retries(10, Duration.ofMinutes(1), Duration.ofMillis(100), Duration.ofMillis(500)));

        assertThat(List.of(
                        attempts.delayAfter(error(Code.UNAVAILABLE, "", 0)),
                        attempts.delayAfter(error(Code.UNAVAILABLE, "", 0)),
                        attempts.delayAfter(error(Code.DEADLINE_EXCEEDED, "", 0)),
                        attempts.delayAfter(error(Code.INTERNAL, "", 0))))
                .extracting(Duration::toMillis)
                .containsExactly(100L, 200L, 400L, 500L);
    }

    @Test
    void halfOfADelayIsRandom() {
        random = 0;

        assertThat(attempts(Retries.DEFAULT).delayAfter(error(Code.UNAVAILABLE, "", 0)))
                .hasMillis(50);
    }

    @Test
    void theSchedulerMayAskForALongerDelay() {
        assertThat(attempts(Retries.DEFAULT).delayAfter(error(Code.RESOURCE_EXHAUSTED, "OVERLOADED", 9_000)))
                .hasSeconds(9);
    }

    @Test
    void noAttemptBeginsAfterTheTimeIsOver() {
        Attempts attempts = attempts(Retries.DEFAULT.withTimeMax(Duration.ofSeconds(1)));
        now = Duration.ofMillis(950).toNanos();

        assertThat(attempts.timeout(Duration.ofSeconds(15))).hasMillis(50);
        assertThatThrownBy(() -> attempts.delayAfter(error(Code.UNAVAILABLE, "", 0)))
                .isInstanceOf(UnavailableException.class);
    }

    @Test
    void aStreamThatDeliversBeginsAnew() {
        Attempts attempts = attempts(Retries.DEFAULT.withTimeMax(Duration.ofSeconds(1)));
        now = Duration.ofMillis(950).toNanos();
        attempts.progressed();

        assertThat(attempts.delayAfter(error(Code.UNAVAILABLE, "", 0))).hasMillis(100);
    }

    @Test
    void onlyWhatMayPassIsRepeated() {
        for (ClientException error : List.of(
                error(Code.RESOURCE_EXHAUSTED, "QUOTA", 0),
                error(Code.INTERNAL, "BUG", 0),
                error(Code.NOT_FOUND, "", 0),
                error(Code.UNIMPLEMENTED, "", 0))) {
            assertThatThrownBy(() -> attempts(Retries.DEFAULT).delayAfter(error))
                    .isSameAs(error);
        }
    }

    @Test
    void refusesLimitsThatMakeNoSense() {
        assertThatThrownBy(() -> Retries.DEFAULT.withAttemptsMax(0)).hasMessage("attemptsMax: 0 (expected: 1 or more)");
        assertThatThrownBy(() -> new Retries(1, Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessage("delayMin: PT2S (expected: from 0 to delayMax, which is PT1S)");
    }

    private Attempts attempts(Retries retries) {
        return new Attempts(retries, Duration.ZERO, () -> now, () -> random);
    }

    private static ClientException error(Code code, String reason, long retryAfterMillis) {
        return new CallFailure(
                        "GetRun",
                        "localhost:8401",
                        code,
                        "No.",
                        reason,
                        List.of(),
                        retryAfterMillis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(retryAfterMillis)),
                        null)
                .error();
    }
}
