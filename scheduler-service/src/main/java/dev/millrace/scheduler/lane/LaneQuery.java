package dev.millrace.scheduler.lane;

/**
 * A question of a lane to the database, as a constant: {@code StatementPlansTest} finds each and looks at how Postgres answers it. The same holds for it as for
 * a {@link LaneStatement}: it must not imply the predicate of a partial index beside a key.
 */
public record LaneQuery(String sql) {}
