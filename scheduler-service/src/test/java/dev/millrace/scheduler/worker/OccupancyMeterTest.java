package dev.millrace.scheduler.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.SlotTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class OccupancyMeterTest {
    private static final int SLOTS = 4;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** Where the sums of the slots begin: they overflow after a while. */
    private static final long ALMOST_OVERFLOWN = Long.MAX_VALUE - 600 * SECOND;

    @Test
    void beginsWithTheConnection() {
        OccupancyMeter meter = new OccupancyMeter(0);
        assertThat(meter.sample(0, SlotTime.ZERO)).isEqualTo(new Occupancy(0, 0, 0));

        assertThat(meter.sample(10 * SECOND, new SlotTime(20 * SECOND, 40 * SECOND)))
                .isEqualTo(new Occupancy(50, 50, 50));
    }

    @Test
    void forgetsWhatWasBeforeTheWindow() {
        OccupancyMeter meter = new OccupancyMeter(0);
        long used = 0;
        for (int second = 4; second <= 600; second += 4) {
            used += 4 * SECOND * (second <= 300 ? SLOTS : 0);
            meter.sample(second * SECOND, new SlotTime(used, (long) second * SLOTS * SECOND));
        }

        assertThat(meter.sample(600 * SECOND, new SlotTime(used, 600L * SLOTS * SECOND)))
                .isEqualTo(new Occupancy(0, 0, 50));
    }

    /** Compares with the sum over all seconds of the window, for samples at irregular times and an hour of work. */
    @Test
    void agreesWithANaiveModel() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            List<Integer> usedPerSecond = new ArrayList<>();
            OccupancyMeter meter = new OccupancyMeter(0);
            SlotTime time = SlotTime.ZERO;
            int used = 0;
            int nextSample = 4;
            for (int second = 1; second <= 3600; second++) {
                used = random.nextInt(20) == 0 ? random.nextInt(SLOTS + 1) : used;
                usedPerSecond.add(used);
                time = new SlotTime(time.usedNanos() + used * SECOND, time.allNanos() + SLOTS * SECOND);
                if (second == nextSample) {
                    nextSample += 1 + random.nextInt(6);
                    Occupancy measured = meter.sample(second * SECOND, time);
                    assertClose(usedPerSecond, 15, measured, Occupancy::last15s, 34);
                    assertClose(usedPerSecond, 300, measured, Occupancy::last5min, 9);
                    assertClose(usedPerSecond, 1800, measured, Occupancy::last30min, 8);
                }
            }
        }
    }

    @Test
    void survivesTheOverflowOfTheSums() {
        OccupancyMeter meter = new OccupancyMeter(0);
        long used = ALMOST_OVERFLOWN;
        Occupancy last = meter.sample(0, new SlotTime(used, used));
        for (int second = 4; second <= 4000; second += 4) {
            used += 4 * SECOND;
            last = meter.sample(second * SECOND, new SlotTime(used, used));
        }

        assertThat(used).isNegative();
        assertThat(last).isEqualTo(new Occupancy(100, 100, 100));
    }

    private static void assertClose(
            List<Integer> used, int seconds, Occupancy measured, ToIntFunction<Occupancy> window, int percentOff) {
        List<Integer> within = used.subList(Math.max(0, used.size() - seconds), used.size());
        double share = within.stream().mapToInt(Integer::intValue).average().orElseThrow() / SLOTS;
        assertThat((double) window.applyAsInt(measured)).isCloseTo(share * 100, Offset.offset((double) percentOff));
    }
}
