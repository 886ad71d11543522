package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.SchedulerId;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The rows of one statement of a flush. A flush without such rows leaves the statement out.
 *
 * @param order position of the statement in a flush
 * @param maker creates the statement for all rows, given the scheduler that runs it
 */
public record Section<R, S extends LaneStatement>(FlushOrder order, BiFunction<SchedulerId, List<R>, S> maker) {
    public Section(FlushOrder order, Function<List<R>, S> maker) {
        this(order, (_, rows) -> maker.apply(rows));
    }

    /** Section of a statement that binds the id of the scheduler. */
    static <R, S extends LaneStatement> Section<R, S> ofScheduler(
            FlushOrder order, BiFunction<SchedulerId, List<R>, S> maker) {
        return new Section<>(order, maker);
    }
}
