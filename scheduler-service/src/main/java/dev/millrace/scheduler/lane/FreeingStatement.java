package dev.millrace.scheduler.lane;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;

/**
 * Statement that makes jobs claimable. It returns their tags as the array {@code tags} in its only row, which is null
 * if there are none.
 */
public interface FreeingStatement extends LaneStatement {
    /** Collects the tags of the jobs that have become claimable. */
    Set<String> claimable();

    @Override
    default void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            Array array = rows.getArray("tags");
            if (array != null) {
                claimable().addAll(Arrays.asList((String[]) array.getArray()));
            }
        }
    }
}
