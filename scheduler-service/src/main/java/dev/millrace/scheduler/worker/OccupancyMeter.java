package dev.millrace.scheduler.worker;

import dev.millrace.scheduler.queue.SlotTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Measures how much of a worker's slots was used lately, from samples of the time in which they had jobs. Each window
 * keeps a sixteenth of its length between its samples, so that it may be longer by that. Not thread-safe.
 */
final class OccupancyMeter {
    private static final int SAMPLES_PER_WINDOW = 16;
    private static final int PERCENT = 100;

    private record Sample(long nanos, SlotTime time) {}

    private final Window last15s;
    private final Window last5min;
    private final Window last30min;

    /** @param nowNanos when the worker connected, on the clock of {@link System#nanoTime} */
    OccupancyMeter(long nowNanos) {
        Sample first = new Sample(nowNanos, SlotTime.ZERO);
        last15s = new Window(Duration.ofSeconds(15), first);
        last5min = new Window(Duration.ofMinutes(5), first);
        last30min = new Window(Duration.ofMinutes(30), first);
    }

    /** The occupancy until now. */
    Occupancy sample(long nowNanos, SlotTime time) {
        Sample now = new Sample(nowNanos, time);
        return new Occupancy(last15s.percentUntil(now), last5min.percentUntil(now), last30min.percentUntil(now));
    }

    private static final class Window {
        private final long lengthNanos;
        /** The first is as old as the window, or older. */
        private final Deque<Sample> samples = new ArrayDeque<>(SAMPLES_PER_WINDOW + 2);

        Window(Duration length, Sample first) {
            this.lengthNanos = length.toNanos();
            samples.add(first);
        }

        int percentUntil(Sample now) {
            if (now.nanos - samples.getLast().nanos >= lengthNanos / SAMPLES_PER_WINDOW) {
                samples.add(now);
            }
            Sample begin = samples.removeFirst();
            while (!samples.isEmpty() && now.nanos - samples.getFirst().nanos >= lengthNanos) {
                begin = samples.removeFirst();
            }
            samples.addFirst(begin);
            // The sums may have overflown, but not their differences.
            long all = now.time.allNanos() - begin.time.allNanos();
            long used = now.time.usedNanos() - begin.time.usedNanos();
            return all == 0 ? 0 : (int) Math.round((double) used / all * PERCENT);
        }
    }
}
