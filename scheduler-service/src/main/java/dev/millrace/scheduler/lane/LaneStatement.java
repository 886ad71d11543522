package dev.millrace.scheduler.lane;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One set-based statement of a flush, with a constant text (see {@link RowsSql}) and one result set.
 *
 * <p>A statement that looks rows up by key must not imply the predicate of a partial index, such as {@code state = 2}.
 * If Postgres plans it while the table is empty, it reads that whole index ever after.
 */
public interface LaneStatement {
    RowsSql sql();

    /** Number of rows to bind; with several lists of rows, the number of the longest. */
    int rows();

    void bind(RowBinder binder) throws SQLException;

    /** Reads the result of the statement. Most results only confirm the number of rows. */
    default void read(ResultSet rows) throws SQLException {}
}
