package dev.millrace.scheduler.tag.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RateWindowTest {
    private static final long SEED = 7;

    @Test
    void isTheAverageOfTheLastMinute() {
        RateWindow window = new RateWindow();
        assertThat(window.perSecond(0)).isZero();
        for (long second = -30; second < 200; second++) {
            for (int i = 0; i < 3; i++) {
                window.add(second);
            }
        }
        assertThat(window.perSecond(199)).isCloseTo(3.0, within(0.01));
        assertThat(window.perSecond(229)).isBetween(1.0, 2.0);
        assertThat(window.perSecond(300)).isZero();
    }

    /** Compares with a list of all events. */
    @Test
    void countsWhatANaiveListCounts() {
        Random random = new Random(SEED);
        RateWindow window = new RateWindow();
        List<Long> all = new ArrayList<>();
        long second = random.nextInt(1_000);
        for (int i = 0; i < 5_000; i++) {
            second += random.nextInt(10) == 0 ? random.nextInt(40) : 0;
            window.add(second);
            all.add(second);
            long from = (Math.floorDiv(second, 5) - 12) * 5;
            long counted = all.stream().filter(each -> each >= from).count();
            long now = second;
            assertThat(window.perSecond(now)).isCloseTo(counted / (double) (now - from + 1), within(1e-9));
        }
    }
}
