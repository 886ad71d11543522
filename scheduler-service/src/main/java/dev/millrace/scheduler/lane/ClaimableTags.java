package dev.millrace.scheduler.lane;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tags of the jobs that a statement has made claimable. They come as the array {@code tags} in its only row, which is
 * null if there are none.
 */
public final class ClaimableTags {
    private final Set<String> tags = new TreeSet<>();

    public void read(ResultSet rows) throws SQLException {
        while (rows.next()) {
            Array array = rows.getArray("tags");
            if (array != null) {
                tags.addAll(Arrays.asList((String[]) array.getArray()));
            }
        }
    }

    public Set<String> all() {
        return tags;
    }
}
