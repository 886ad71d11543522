package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how Postgres reads rows that are bound in either form. */
class RowBinderTest {
    private static final RowsSql SQL =
            new RowsSql("select * from $rows(id uuid, number int8, some_number int8, small int4, word text) as r");
    private static final UUID ID = UUID.fromString("01900000-0000-7000-8000-000000000001");
    private static final Row FULL = new Row(ID, 1L << 40, 7L, -3, "a, 'b' {c}");
    private static final Row EMPTY = new Row(null, 0, null, 0, null);

    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();

    private Connection connection;

    private record Row(
            @Nullable UUID id,
            long number,
            @Nullable Long someNumber,
            int small,
            @Nullable String word) {}

    @BeforeEach
    void connect() {
        connection = DATABASE.openForLane("rows");
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowArrivesAsItIs(boolean single) throws SQLException {
        assertThat(send(List.of(FULL), single)).containsExactly(FULL);
        assertThat(send(List.of(EMPTY), single)).containsExactly(EMPTY);
    }

    @Test
    void rowsArriveAsTheyAre() throws SQLException {
        assertThat(send(List.of(FULL, EMPTY, FULL), false)).containsExactly(FULL, EMPTY, FULL);
    }

    /** An absent value must not have another type: the driver would prepare the statement again each time. */
    @Test
    void isPreparedOnceWhateverIsAbsent() throws SQLException {
        for (int i = 0; i < 3; i++) {
            send(List.of(FULL), true);
            send(List.of(EMPTY), true);
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select generic_plans + custom_plans from pg_prepared_statements where statement like 'select * from (values%'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(6);
            assertThat(rows.next()).isFalse();
        }
    }

    private List<Row> send(List<Row> rows, boolean single) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(single ? SQL.ofOneRow() : SQL.ofRows())) {
            RowBinder binder = new RowBinder(statement, single);
            binder.uuids(rows, Row::id);
            binder.numbers(rows, Row::number);
            binder.optionalNumbers(rows, Row::someNumber);
            binder.integers(rows, Row::small);
            binder.texts(rows, Row::word);
            try (ResultSet result = statement.executeQuery()) {
                List<Row> read = new ArrayList<>();
                while (result.next()) {
                    read.add(new Row(
                            result.getObject("id", UUID.class),
                            result.getLong("number"),
                            result.getObject("some_number", Long.class),
                            result.getInt("small"),
                            result.getString("word")));
                }
                return read;
            }
        }
    }
}
