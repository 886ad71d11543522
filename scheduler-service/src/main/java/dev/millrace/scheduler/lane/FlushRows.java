package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.SchedulerId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one flush writes, and the statements built from them. A flush has only a few of the sections, so lists
 * are created on demand.
 */
final class FlushRows {
    private final SchedulerId scheduler;
    private final Map<FlushOrder, Part<?, ?>> parts = new EnumMap<>(FlushOrder.class);

    /** A section that has rows. */
    private static final class Part<R, S extends LaneStatement> {
        private final Section<R, S> section;
        private final List<R> rows = new ArrayList<>();
        private @Nullable S statement;

        Part(Section<R, S> section) {
            this.section = section;
        }

        S make(SchedulerId scheduler) {
            S made = section.maker().apply(scheduler, rows);
            statement = made;
            return made;
        }
    }

    FlushRows(SchedulerId scheduler) {
        this.scheduler = scheduler;
    }

    <R> void add(Section<R, ?> section, R row) {
        part(section).rows.add(row);
    }

    /** The rows of the section so far. */
    <R> List<R> of(Section<R, ?> section) {
        Part<R, ?> known = known(section);
        return known == null ? List.of() : known.rows;
    }

    private <R, S extends LaneStatement> Part<R, S> part(Section<R, S> section) {
        Part<R, S> known = known(section);
        if (known == null) {
            known = new Part<>(section);
            parts.put(section.order(), known);
        }
        return known;
    }

    @SuppressWarnings("unchecked") // Each order has one section, so the part found there belongs to this section.
    private <R, S extends LaneStatement> @Nullable Part<R, S> known(Section<R, S> section) {
        return (Part<R, S>) parts.get(section.order());
    }

    /** The sections with rows. Two flushes with the same sections have the same text. */
    Set<FlushOrder> places() {
        return parts.isEmpty() ? EnumSet.noneOf(FlushOrder.class) : EnumSet.copyOf(parts.keySet());
    }

    /** Builds the statements of all rows, in their order. */
    List<LaneStatement> statements() {
        List<LaneStatement> made = new ArrayList<>(parts.size());
        parts.values().forEach(part -> made.add(part.make(scheduler)));
        return made;
    }

    /** The section's statement with its result; empty if the section had no rows. */
    <R, S extends LaneStatement> Optional<S> written(Section<R, S> section) {
        Part<R, S> known = known(section);
        return known == null ? Optional.empty() : Optional.ofNullable(known.statement);
    }
}
