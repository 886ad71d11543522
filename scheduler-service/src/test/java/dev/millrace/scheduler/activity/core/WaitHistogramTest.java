package dev.millrace.scheduler.activity.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class WaitHistogramTest {
    private static final double[] SHARES = {0.01, 0.5, 0.95, 1};

    @RepeatedTest(20)
    void tellsQuantilesThatAreAFifthTooLongAtMost(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        long[] waits = random.longs(1 + random.nextInt(200), 0, 1L << random.nextInt(1, 28))
                .sorted()
                .toArray();
        int half = waits.length / 2;
        WaitHistogram histogram =
                of(Arrays.copyOf(waits, half)).plus(of(Arrays.copyOfRange(waits, half, waits.length)));

        assertThat(histogram.jobs()).isEqualTo(waits.length);
        for (double share : SHARES) {
            long exact = waits[(int) Math.ceil(waits.length * share) - 1];
            assertThat(histogram.quantile(share).orElseThrow().toMillis())
                    .isBetween(exact, Math.max(exact + 1, (long) (exact * 1.2)));
        }
    }

    @Test
    void hasAPlaceForEachWait() {
        assertThat(WaitHistogram.bucketOf(-5)).isZero();
        assertThat(WaitHistogram.bucketOf(Long.MAX_VALUE)).isEqualTo(WaitHistogram.BUCKETS - 1);
        assertThat(WaitHistogram.EMPTY.quantile(1)).isEmpty();
    }

    private static WaitHistogram of(long[] waits) {
        long[] counts = new long[WaitHistogram.BUCKETS];
        Arrays.stream(waits).forEach(wait -> counts[WaitHistogram.bucketOf(wait)]++);
        return new WaitHistogram(counts);
    }
}
