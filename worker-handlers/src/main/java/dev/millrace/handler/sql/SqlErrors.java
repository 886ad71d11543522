package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlStatement;
import dev.millrace.tls.AddressRule;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Errors of SQL jobs, as those who wrote the script see them. */
final class SqlErrors {
    private SqlErrors() {}

    /** The text of the script is at fault. */
    static JobException script(String message) {
        return error("ScriptError", message, false);
    }

    /** The input of the job is at fault. */
    static JobException input(String message) {
        return error("InputError", message, false);
    }

    /** The result cannot be sent. */
    static JobException result(String message) {
        return error("ResultError", message, false);
    }

    /** The database does not let the job in; another attempt may succeed. */
    static JobException connection(String database, SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof AddressRule.Refused) {
                return error("AddressNotAllowed", notAllowed(database), false);
            }
        }
        boolean isRefused = state(e).startsWith("28");
        return error(
                "ConnectionError",
                "The database " + database + " cannot be used: " + reason(e) + state(e, "."),
                !isRefused);
    }

    /** What the driver says, with what it does not say: the driver of PostgreSQL has one sentence for all that goes wrong early, and one for all that breaks a connection. */
    private static String reason(SQLException e) {
        String said = String.valueOf(e.getMessage());
        return e.getCause() instanceof IOException cause && !said.contains(String.valueOf(cause.getMessage()))
                ? said.replaceFirst("\\.$", "") + ": " + cause.getMessage()
                : said;
    }

    private static String notAllowed(String database) {
        return "The database " + database
                + " has no public address, so an input cannot name it. Let the step name a resource that holds"
                + " it, such as ${{ resources.shop.db }}, or let the operator of the worker allow such addresses with"
                + " --sql-allow-private.";
    }

    /** The database refused a statement. */
    static JobException statement(SqlStatement statement, SQLException e) {
        return error(
                "SqlError",
                "The statement in line " + statement.line() + " failed: " + reason(e) + state(e, "."),
                isPassing(state(e)));
    }

    /**
     * Whether the statement may succeed later: the connection broke, the transaction gave way to another one, or the server
     * lacks something or stops. Classes of SQLSTATE, see appendix A of PostgreSQL's manual.
     */
    private static boolean isPassing(String state) {
        return state.startsWith("08") || state.startsWith("40") || state.startsWith("53") || state.startsWith("57P");
    }

    /** An error without a stack, which would show code of the worker to authors of SQL. */
    private static JobException error(String name, String message, boolean retryable) {
        JobException error = new JobException(name, message, retryable);
        error.setStackTrace(new StackTraceElement[0]);
        return error;
    }

    private static String state(SQLException e, String end) {
        return state(e).isEmpty() ? end : " (SQLSTATE " + state(e) + ")" + end;
    }

    private static String state(SQLException e) {
        @Nullable String state = e.getSQLState();
        return state == null ? "" : state;
    }
}
