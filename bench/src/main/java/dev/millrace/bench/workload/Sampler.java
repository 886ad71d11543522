package dev.millrace.bench.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Samples a value repeatedly beside a workload, on its own thread, until it is closed. */
final class Sampler implements AutoCloseable {
    /** A value, with its time in microseconds since 1970. */
    record Sample(long micros, double value) {}

    private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread;
    private volatile @Nullable RuntimeException failure;

    private Sampler(Duration interval, DoubleSupplier value) {
        thread = Thread.ofPlatform().name("sampler").start(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    samples.add(new Sample(WallClock.micros(), value.getAsDouble()));
                    Thread.sleep(interval);
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                failure = e;
            }
        });
    }

    static Sampler every(Duration interval, DoubleSupplier value) {
        return new Sampler(interval, value);
    }

    double highest() {
        return samples().stream().mapToDouble(Sample::value).max().orElseThrow();
    }

    /** The value at this time, interpolated linearly between the samples before and after it. */
    double at(long micros) {
        List<Sample> all = samples();
        for (int i = 1; i < all.size(); i++) {
            Sample after = all.get(i);
            if (after.micros >= micros) {
                Sample before = all.get(i - 1);
                double share = (double) (micros - before.micros) / Math.max(1, after.micros - before.micros);
                return before.value + Math.max(0, share) * (after.value - before.value);
            }
        }
        return all.getLast().value;
    }

    private List<Sample> samples() {
        if (failure != null) {
            throw new IllegalStateException("A value could not be sampled.", failure);
        }
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
