package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.SchedulerId;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Rows of one statement of a flush, which has the statement only where it has rows of it.
 *
 * @param order where the statement stands among the others
 * @param maker makes the statement of all its rows, for the scheduler that runs it
 */
public record Section<R, S extends LaneStatement>(FlushOrder order, BiFunction<SchedulerId, List<R>, S> maker) {
    public Section(FlushOrder order, Function<List<R>, S> maker) {
        this(order, (_, rows) -> maker.apply(rows));
    }

    /** Rows of a statement that says which scheduler runs it. */
    static <R, S extends LaneStatement> Section<R, S> ofScheduler(
            FlushOrder order, BiFunction<SchedulerId, List<R>, S> maker) {
        return new Section<>(order, maker);
    }
}
