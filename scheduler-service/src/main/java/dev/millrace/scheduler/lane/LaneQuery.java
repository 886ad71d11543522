package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.NamedCodes;

/**
 * A question of a lane to the database, as a constant: {@code StatementPlansTest} finds each and looks at how Postgres answers it. The same holds for it as for
 * a {@link LaneStatement}: it must not imply the predicate of a partial index beside a key.
 */
public record LaneQuery(String sql) {
    /** @param sql may name codes, see {@link NamedCodes} */
    public LaneQuery {
        sql = NamedCodes.expand(sql);
    }
}
