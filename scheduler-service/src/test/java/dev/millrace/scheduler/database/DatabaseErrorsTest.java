package dev.millrace.scheduler.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.error.ErrorCode;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseErrorsTest {
    private static final DatabaseLocation LOCATION = DatabaseLocation.parse("postgres://ada:hush@db/queue");

    @ParameterizedTest
    @CsvSource({
        "28P01, refuses the user or password: correct them in millrace.database.url",
        "3D000, create it",
        "42P05, set pool_mode = session",
        "26000, set pool_mode = session",
        "08001, No database answers at db:5432/queue"
    })
    void saysWhatToDoAboutAConnectionThatCannotBeOpened(String state, String advice) {
        assertThat(DatabaseErrors.unreachable(LOCATION, new SQLException("no", state)))
                .hasMessageContaining(advice)
                .hasMessageContaining("db:5432/queue")
                .hasMessageNotContaining("hush");
    }

    /** jOOQ wraps the exception of the driver if a connection breaks while it reads a row. */
    @ParameterizedTest
    @CsvSource({
        "57P01, DATABASE_UNAVAILABLE",
        "08006, DATABASE_UNAVAILABLE",
        "42703, INTERNAL",
        "22021, INVALID_REQUEST"
    })
    void findsTheCauseBelowExceptionsWithoutAState(String state, ErrorCode code) {
        SQLException wrapped = new SQLException("Error while reading field: \"a\"", new SQLException("no", state));

        assertThat(DatabaseErrors.translate(new DataAccessException("SQL [select 1]", wrapped))
                        .code())
                .isEqualTo(code);
    }
}
