package dev.millrace.scheduler.queue;

import java.util.function.LongSupplier;

/** Adds up the time in which the slots of a worker have jobs. Not thread-safe. */
final class SlotMeter {
    private final LongSupplier nanoClock;
    private SlotTime sum = SlotTime.ZERO;
    private int used;
    private int slots;
    private long sinceNanos;

    /** @param nanoClock see {@link System#nanoTime} */
    SlotMeter(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.sinceNanos = nanoClock.getAsLong();
    }

    /** From now on, so many of so many slots have a job. */
    void change(int usedNow, int slotsNow) {
        if (usedNow != used || slotsNow != slots) {
            sum = read();
            used = usedNow;
            slots = slotsNow;
        }
    }

    /** The time until now. */
    SlotTime read() {
        long now = nanoClock.getAsLong();
        long nanos = now - sinceNanos;
        sinceNanos = now;
        sum = new SlotTime(sum.usedNanos() + nanos * used, sum.allNanos() + nanos * slots);
        return sum;
    }
}
