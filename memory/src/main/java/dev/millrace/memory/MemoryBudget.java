package dev.millrace.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * Share of the heap, divided into named parts whose limits add up to at most the share. Code that keeps bytes from
 * outside, or waits for them, first reserves them in a part. Thread-safe.
 */
public final class MemoryBudget {
    private final long limitBytes;
    private final List<MemoryPart> parts = new ArrayList<>();

    private MemoryBudget(long limitBytes) {
        if (limitBytes < 1) {
            throw new IllegalArgumentException("limitBytes: " + limitBytes + " (expected: >= 1)");
        }
        this.limitBytes = limitBytes;
    }

    public static MemoryBudget ofBytes(long limitBytes) {
        return new MemoryBudget(limitBytes);
    }

    /** Returns a budget of this fraction of the JVM's maximum heap, for example 0.5. */
    public static MemoryBudget ofHeap(double fraction) {
        return new MemoryBudget((long) (Runtime.getRuntime().maxMemory() * fraction));
    }

    /**
     * Adds a part of this fraction of the budget.
     *
     * @throws IllegalArgumentException if the parts would exceed the budget together
     */
    public synchronized MemoryPart part(String name, double fraction) {
        long bytes = Math.max(1, (long) (limitBytes * fraction));
        long carved = parts.stream().mapToLong(MemoryPart::limitBytes).sum();
        if (carved + bytes > limitBytes) {
            throw new IllegalArgumentException("part " + name + ": " + bytes + " bytes (expected: at most "
                    + (limitBytes - carved) + ", which the other parts leave)");
        }
        var part = new MemoryPart(name, bytes);
        parts.add(part);
        return part;
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** In the order of their creation. */
    public synchronized List<MemoryPart> parts() {
        return List.copyOf(parts);
    }
}
