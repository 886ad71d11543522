package dev.millrace.handler.sql;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.millrace.text.sql.SqlDialect;
import dev.millrace.text.sql.SqlStatement;
import dev.millrace.worker.JobContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script: a transaction on a connection that no other job uses meanwhile, in which the result is that of the last statement.
 * Another thread may {@link #stop} it.
 */
final class SqlRun {
    /** Rows that a connection to PostgreSQL reads at once. A server of MySQL sends all of them, and they are taken one by one. */
    private static final int FETCH_ROWS = 500;

    private final Connection connection;
    private final SqlSession session;
    private final SqlInput input;
    private final JobContext job;
    private volatile @Nullable PreparedStatement current;
    private volatile boolean stopped;

    SqlRun(SqlSession session, SqlInput input, JobContext job) {
        this.connection = session.connection();
        this.session = session;
        this.input = input;
        this.job = job;
    }

    /**
     * Runs the statements and commits.
     *
     * @param resultBytesMax largest result in bytes
     * @return JSON: the rows of the last statement, or how many rows it changed
     */
    byte[] run(List<SqlStatement> statements, int resultBytesMax) throws SQLException {
        byte[] result = {};
        for (int i = 0; i < statements.size(); i++) {
            boolean isLast = i == statements.size() - 1;
            try {
                result = run(statements.get(i), isLast ? resultBytesMax : 0);
            } catch (SQLException e) {
                throw SqlErrors.statement(statements.get(i), e);
            }
        }
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
        return result;
    }

    private byte[] run(SqlStatement statement, int resultBytesMax) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(statement.text())) {
            current = prepared;
            if (stopped) {
                throw new SQLException("the job was stopped");
            }
            session.used();
            prepared.setFetchSize(input.dialect() == SqlDialect.MYSQL ? 1 : FETCH_ROWS);
            input.bind(statement, prepared);
            boolean hasRows = prepared.execute();
            logNotices(prepared);
            if (resultBytesMax > 0) {
                return result(prepared, hasRows, resultBytesMax);
            }
            if (hasRows) {
                passOver(prepared);
            }
            return new byte[0];
        } finally {
            current = null;
            session.released();
        }
    }

    /** Takes rows that nobody wants off the connection. */
    private void passOver(PreparedStatement prepared) throws SQLException {
        try (ResultSet rows = prepared.getResultSet()) {
            while (input.dialect() == SqlDialect.MYSQL && rows.next()) {
                session.used();
            }
        }
    }

    private byte[] result(PreparedStatement prepared, boolean hasRows, int resultBytesMax) throws SQLException {
        ResultBuffer buffer = new ResultBuffer(resultBytesMax);
        try (JsonGenerator json = SqlInput.JSON.createGenerator(buffer)) {
            if (hasRows) {
                try (ResultSet rows = prepared.getResultSet()) {
                    new SqlRows(rows, input.dialect()).writeTo(json, session::used);
                }
            } else {
                json.writeStartObject();
                json.writeNumberField("affected", Math.max(0, prepared.getLargeUpdateCount()));
                json.writeEndObject();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return buffer.toByteArray();
    }

    /** What the server says beside its result, such as {@code RAISE NOTICE}, is the log of the job. */
    private void logNotices(PreparedStatement prepared) throws SQLException {
        for (SQLWarning notice = prepared.getWarnings(); notice != null; notice = notice.getNextWarning()) {
            job.log(String.valueOf(notice.getMessage()));
        }
    }

    /** Lets the server stop the running statement. */
    void stop() throws SQLException {
        stopped = true;
        PreparedStatement running = current;
        if (running != null) {
            running.cancel();
        }
    }
}
