package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.RunId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Binds columns of rows to the parameters of a statement, in order: as arrays, or as plain values if each list has
 * exactly one row (see {@link RowsSql}).
 *
 * <p>Each flush binds about forty columns, and plain loops take a third of the time of streams. A column has the same
 * type with and without a value, because another type would make the driver prepare the statement again.
 */
public final class RowBinder {
    private final PreparedStatement statement;
    private final boolean single;
    private int index = 1;

    /** @param single whether each list of rows has exactly one row */
    RowBinder(PreparedStatement statement, boolean single) {
        this.statement = statement;
        this.single = single;
    }

    /** Binds a number that belongs to no row. */
    public void number(long value) throws SQLException {
        statement.setLong(index++, value);
    }

    /** Binds an id that belongs to no row. */
    public void uuid(UUID value) throws SQLException {
        statement.setObject(index++, value);
    }

    /** Binds ids as an array, even if there is only one. */
    public <T> void array(List<T> rows, Function<T, @Nullable UUID> column) throws SQLException {
        @Nullable UUID[] values = new UUID[rows.size()];
        fill(values, rows, column);
        statement.setObject(index++, new UuidArray(values));
    }

    public <T> void uuids(List<T> rows, Function<T, @Nullable UUID> column) throws SQLException {
        if (single) {
            optionalUuid(column.apply(rows.getFirst()));
            return;
        }
        @Nullable UUID[] values = new UUID[rows.size()];
        fill(values, rows, column);
        statement.setObject(index++, new UuidArray(values));
    }

    /** Binds runs as two columns: buckets and ids. */
    public void runs(List<RunId> runs) throws SQLException {
        runs(runs, run -> run);
    }

    /** Binds runs as two columns: buckets and ids. */
    public <T> void runs(List<T> rows, Function<T, RunId> run) throws SQLException {
        integers(rows, row -> run.apply(row).bucket().value());
        uuids(rows, row -> run.apply(row).value());
    }

    /** Binds jobs as two columns: buckets and ids. */
    public void jobs(List<JobId> jobs) throws SQLException {
        jobs(jobs, job -> job);
    }

    /** Binds jobs as two columns: buckets and ids. */
    public <T> void jobs(List<T> rows, Function<T, JobId> job) throws SQLException {
        integers(rows, row -> job.apply(row).bucket().value());
        uuids(rows, row -> job.apply(row).value());
    }

    public <T> void texts(List<T> rows, Function<T, @Nullable String> column) throws SQLException {
        if (single) {
            statement.setString(index++, column.apply(rows.getFirst()));
            return;
        }
        @Nullable String[] values = new String[rows.size()];
        fill(values, rows, column);
        array("text", values);
    }

    public <T> void numbers(List<T> rows, ToLongFunction<T> column) throws SQLException {
        if (single) {
            statement.setLong(index++, column.applyAsLong(rows.getFirst()));
            return;
        }
        long[] values = new long[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.applyAsLong(rows.get(i));
        }
        statement.setObject(index++, values);
    }

    /** Binds numbers of which some are absent. */
    public <T> void optionalNumbers(List<T> rows, Function<T, @Nullable Long> column) throws SQLException {
        if (single) {
            optionalNumber(column.apply(rows.getFirst()));
            return;
        }
        @Nullable Long[] values = new Long[rows.size()];
        fill(values, rows, column);
        array("int8", values);
    }

    public <T> void integers(List<T> rows, ToIntFunction<T> column) throws SQLException {
        if (single) {
            statement.setInt(index++, column.applyAsInt(rows.getFirst()));
            return;
        }
        int[] values = new int[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = column.applyAsInt(rows.get(i));
        }
        statement.setObject(index++, values);
    }

    private void optionalUuid(@Nullable UUID value) throws SQLException {
        if (value == null) {
            statement.setNull(index++, Types.OTHER, "uuid");
        } else {
            statement.setObject(index++, value);
        }
    }

    private void optionalNumber(@Nullable Long value) throws SQLException {
        if (value == null) {
            statement.setNull(index++, Types.BIGINT);
        } else {
            statement.setLong(index++, value);
        }
    }

    private static <T, V> void fill(@Nullable V[] values, List<T> rows, Function<T, @Nullable V> column) {
        for (int i = 0; i < values.length; i++) {
            values[i] = column.apply(rows.get(i));
        }
    }

    private void array(String type, @Nullable Object[] values) throws SQLException {
        statement.setArray(index++, statement.getConnection().createArrayOf(type, values));
    }
}
