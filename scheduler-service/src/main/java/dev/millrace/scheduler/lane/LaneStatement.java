package dev.millrace.scheduler.lane;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * One set-based statement of a flush. Its text is constant, see {@link RowsSql}; it returns one result set.
 *
 * <p>A statement that looks rows up by key must not imply the predicate of a partial index, such as {@code state = 2}: planned while the
 * table is empty, it would read that whole index ever after.
 */
public interface LaneStatement {
    RowsSql sql();

    /** How many rows it is given; of the longest list where there are several. */
    int rows();

    void bind(RowBinder binder) throws SQLException;

    /** Reads what the statement returns; most only confirm their row count. */
    default void read(ResultSet rows) throws SQLException {}
}
