package dev.millrace.scheduler.expression;

import java.util.HashSet;
import java.util.Set;

/**
 * Values of a run that an expression may read, as determined from its text.
 *
 * @param steps ids of the steps whose results it may read
 * @param anyStep whether it may read the result of any visible step, because it computes the id
 */
public record Reads(Set<String> steps, boolean anyStep) {
    /** No step. */
    public static final Reads NOTHING = new Reads(Set.of(), false);

    /** Any step. */
    public static final Reads ANY = new Reads(Set.of(), true);

    public Reads {
        steps = Set.copyOf(steps);
    }

    /** The result of one step. */
    public static Reads step(String id) {
        return new Reads(Set.of(id), false);
    }

    /** Returns the union of both. */
    public Reads and(Reads other) {
        if (equals(NOTHING)) {
            return other;
        }
        Set<String> all = new HashSet<>(steps);
        all.addAll(other.steps);
        return new Reads(all, anyStep || other.anyStep);
    }
}
