package dev.millrace.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SlotMeterTest {
    private final AtomicLong clock = new AtomicLong(100);
    private final SlotMeter meter = new SlotMeter(clock::get);

    @Test
    void addsUpTheTimeOfEachSlot() {
        meter.change(0, 4);
        clock.addAndGet(10);
        meter.change(3, 4);
        clock.addAndGet(10);
        assertThat(meter.read()).isEqualTo(new SlotTime(30, 80));
        clock.addAndGet(1);
        meter.change(3, 4);
        meter.change(1, 2);
        clock.addAndGet(5);

        assertThat(meter.read()).isEqualTo(new SlotTime(30 + 3 + 5, 80 + 4 + 10));
    }
}
