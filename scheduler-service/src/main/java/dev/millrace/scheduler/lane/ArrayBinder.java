package dev.millrace.scheduler.lane;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Binds columns of rows as arrays, in the order of the statement's parameters. */
final class ArrayBinder {
    private final PreparedStatement statement;
    private int index = 1;

    ArrayBinder(PreparedStatement statement) {
        this.statement = statement;
    }

    void number(long value) throws SQLException {
        statement.setLong(index++, value);
    }

    <T> void uuids(List<T> rows, Function<T, @Nullable UUID> column) throws SQLException {
        statement.setObject(index++, new UuidArray(rows.stream().map(column).toArray(UUID[]::new)));
    }

    <T> void texts(List<T> rows, Function<T, @Nullable String> column) throws SQLException {
        array("text", rows.stream().map(column).toArray(String[]::new));
    }

    <T> void numbers(List<T> rows, ToLongFunction<T> column) throws SQLException {
        statement.setObject(index++, rows.stream().mapToLong(column).toArray());
    }

    /** Numbers of which some are absent. */
    <T> void optionalNumbers(List<T> rows, Function<T, @Nullable Long> column) throws SQLException {
        array("int8", rows.stream().map(column).toArray(Long[]::new));
    }

    <T> void integers(List<T> rows, ToIntFunction<T> column) throws SQLException {
        statement.setObject(index++, rows.stream().mapToInt(column).toArray());
    }

    private void array(String type, Object[] values) throws SQLException {
        statement.setArray(index++, statement.getConnection().createArrayOf(type, values));
    }
}
