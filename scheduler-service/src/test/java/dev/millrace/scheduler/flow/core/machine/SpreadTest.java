package dev.millrace.scheduler.flow.core.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SpreadTest {
    private static final int COUNT = 10_000;

    @Test
    void scattersRetriesEvenly() {
        IdSource ids = new IdSource(() -> 1_700_000_000_000L, new Random(5));
        int[] tenths = new int[10];
        for (int i = 0; i < COUNT; i++) {
            double spread = Spread.of(ids.nextRun(), new StepKey("fetch[" + i % 7 + "]"), i % 3);
            assertThat(spread).isBetween(0.0, 1.0);
            tenths[Math.min(9, (int) (spread * 10))]++;
        }

        assertThat(IntStream.of(tenths).boxed()).allMatch(count -> count > COUNT / 12 && count < COUNT / 8);
    }

    @Test
    void isTheSameEachTime() {
        RunId run = new IdSource(() -> 1L, new Random(5)).nextRun();

        assertThat(Spread.of(run, new StepKey("a"), 1)).isEqualTo(Spread.of(run, new StepKey("a"), 1));
        assertThat(Spread.of(run, new StepKey("a"), 2)).isNotEqualTo(Spread.of(run, new StepKey("a"), 1));
    }
}
