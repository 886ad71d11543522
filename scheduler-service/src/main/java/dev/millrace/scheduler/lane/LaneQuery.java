package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.NamedCodes;

/**
 * A query of a lane, as a constant: {@code StatementPlansTest} finds every instance and checks how Postgres executes
 * it. Like a {@link LaneStatement}, a query by key must not imply the predicate of a partial index.
 */
public record LaneQuery(String sql) {
    /** @param sql may contain names of codes, see {@link NamedCodes} */
    public LaneQuery {
        sql = NamedCodes.expand(sql);
    }
}
