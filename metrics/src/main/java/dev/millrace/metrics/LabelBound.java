package dev.millrace.metrics;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the values of a label that users choose, such as paths of flows: each value is a time series of its own in
 * Prometheus. The first values keep their names; all later ones are counted as {@link #OTHER}. Thread-safe.
 */
public final class LabelBound {
    /** The value that stands for all beyond the limit. */
    public static final String OTHER = "other";

    private final int max;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();

    /** @param max largest number of values that keep their names */
    public LabelBound(int max) {
        this.max = max;
    }

    /** The value to use as the label: the value itself, or {@link #OTHER}. */
    public String of(String value) {
        if (known.contains(value)) {
            return value;
        }
        if (count.get() >= max || count.getAndIncrement() >= max) {
            return OTHER;
        }
        known.add(value);
        return value;
    }
}
