package dev.millrace.memory;

import java.util.ArrayList;
import java.util.List;

/**
 * A share of the heap, carved into named parts whose limits add up to no more than the share. Whoever keeps bytes that someone outside has
 * sent, or waits for, reserves them in a part first. Thread-safe.
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

    /** This fraction, for example 0.5, of the largest heap that this JVM may have. */
    public static MemoryBudget ofHeap(double fraction) {
        return new MemoryBudget((long) (Runtime.getRuntime().maxMemory() * fraction));
    }

    /**
     * Carves out a part with this fraction of the budget.
     *
     * @throws IllegalArgumentException if the parts together would exceed the budget
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

    /** All parts, in the order in which they were carved out. */
    public synchronized List<MemoryPart> parts() {
        return List.copyOf(parts);
    }
}
