package dev.millrace.scheduler.kafka.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchEndTest {
    private static final int TRIALS = 2_000;
    private static final int TRIES_MAX = 130;

    @Test
    void findsTheFirstOffsetBehindTheBatch() {
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int trial = 0; trial < TRIALS; trial++) {
            long begin = random.nextLong(1L << random.nextInt(1, 60));
            long end = begin + random.nextLong(1, 1L << random.nextInt(1, 30));
            long partitionEnd = end + (random.nextBoolean() ? 0 : random.nextLong(1L << random.nextInt(1, 60)));

            BatchEnd search = new BatchEnd(begin, partitionEnd);
            int tries = 0;
            while (!search.isFound()) {
                assertThat(search.next()).isGreaterThan(begin).isLessThan(partitionEnd);
                search.tried(search.next() >= end);
                tries++;
            }

            assertThat(search.end())
                    .as("batch %d to %d of %d, seed %d", begin, end, partitionEnd, seed)
                    .isEqualTo(end);
            assertThat(tries).isLessThan(TRIES_MAX);
        }
    }

    @Test
    void takesFewTriesForABatchOfFewMessages() {
        BatchEnd search = new BatchEnd(1_000, 1_000_000_000);
        int tries = 0;
        while (!search.isFound()) {
            search.tried(search.next() >= 1_003);
            tries++;
        }
        assertThat(search.end()).isEqualTo(1_003);
        assertThat(tries).isLessThanOrEqualTo(4);
    }
}
