package dev.millrace.worker.internal.secret.core;

import java.util.Arrays;
import java.util.BitSet;

/** Ascending ranges of positions that neither overlap nor touch. A range is added at the end, and may swallow others. */
final class Ranges {
    private int[] bounds = new int[8];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int count() {
        return size / 2;
    }

    int from(int index) {
        return bounds[2 * index];
    }

    int to(int index) {
        return bounds[2 * index + 1];
    }

    /** Adds a range that ends at or after all others. */
    void add(int from, int to) {
        int first = from;
        while (size > 0 && bounds[size - 1] >= first) {
            first = Math.min(first, bounds[size - 2]);
            size -= 2;
        }
        if (size == bounds.length) {
            bounds = Arrays.copyOf(bounds, 2 * size);
        }
        bounds[size++] = first;
        bounds[size++] = to;
    }

    /** Returns all ranges, and forgets them here. */
    Ranges takeAll() {
        Ranges taken = new Ranges();
        taken.bounds = bounds.clone();
        taken.size = size;
        size = 0;
        return taken;
    }

    /** Adds ranges that may lie anywhere between the present ones. */
    void merge(Ranges others) {
        BitSet positions = new BitSet();
        others.setIn(positions);
        setIn(positions);
        size = 0;
        for (int from = positions.nextSetBit(0); from >= 0; ) {
            int to = positions.nextClearBit(from);
            add(from, to);
            from = positions.nextSetBit(to);
        }
    }

    private void setIn(BitSet positions) {
        for (int i = 0; i < size; i += 2) {
            positions.set(bounds[i], bounds[i + 1]);
        }
    }

    /** Drops the first positions, and counts the others from there. */
    void drop(int positions) {
        int kept = 0;
        for (int i = 0; i < size; i += 2) {
            if (bounds[i + 1] > positions) {
                int from = Math.max(0, bounds[i] - positions);
                int to = bounds[i + 1] - positions;
                bounds[kept++] = from;
                bounds[kept++] = to;
            }
        }
        size = kept;
    }
}
