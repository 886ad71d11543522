package dev.millrace.scheduler.quota.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final TokenBucket bucket = new TokenBucket();

    @Test
    void holdsWhatFlowsInWithinASecond() {
        for (int call = 0; call < 10; call++) {
            assertThat(bucket.waitNanos(10, 0)).isZero();
            bucket.take(1, 10, 0);
        }

        assertThat(bucket.waitNanos(10, 0)).isEqualTo(SECOND / 10);
        assertThat(bucket.waitNanos(10, SECOND / 10)).isZero();
        assertThat(bucket.waitNanos(10, 100 * SECOND)).isZero();
        bucket.take(10, 10, 100 * SECOND);
        assertThat(bucket.waitNanos(10, 100 * SECOND))
                .as("idle time is not saved up")
                .isPositive();
    }

    @Test
    void isOverdrawnByALargeBatchAndPaidBack() {
        bucket.take(100, 10, 0);

        assertThat(bucket.waitNanos(10, 0)).isEqualTo(91 * SECOND / 10);
        assertThat(bucket.waitNanos(10, 9 * SECOND)).isPositive();
        assertThat(bucket.waitNanos(10, 92 * SECOND / 10)).isZero();
    }

    @Test
    void keepsTheAverage() {
        long taken = 0;
        for (long now = 0; now < 60 * SECOND; now += SECOND / 100) {
            while (bucket.waitNanos(50, now) == 0) {
                bucket.take(7, 50, now);
                taken += 7;
            }
        }

        assertThat(taken).isBetween(60L * 50, 61L * 50 + 7);
    }
}
