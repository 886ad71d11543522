package dev.millrace.scheduler.postgres.core;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import java.util.TreeSet;

/**
 * A number up to which all rows of a table will be there once some transactions have ended.
 *
 * <p>Numbers of rows are given out before transactions commit, so a row can appear behind one with a larger number. A
 * transaction locks the table before it takes a number. Therefore whoever may still add a row with a number up to {@code last}
 * was among those that held such a lock when {@code last} was already visible.
 *
 * @param last the largest number that was visible
 * @param writers transactions that could write to the table after that, and have not ended
 */
public record Settling(long last, Set<String> writers) {
    public Settling {
        requireNonNull(writers, "writers");
        writers = Set.copyOf(writers);
    }

    /**
     * What is left of it.
     *
     * @param now transactions that can write to the table now; later ones take larger numbers and do not count
     */
    public Settling after(Set<String> now) {
        Set<String> left = new TreeSet<>(writers);
        left.retainAll(now);
        return new Settling(last, left);
    }

    /** Whether all rows up to {@code last} are there, or never will be. */
    public boolean isSettled() {
        return writers.isEmpty();
    }
}
