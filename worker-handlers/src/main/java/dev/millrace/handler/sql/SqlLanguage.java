package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import dev.millrace.text.sql.SqlDialect;
import dev.millrace.text.sql.SqlStatement;
import dev.millrace.text.sql.SqlText;
import dev.millrace.text.sql.SqlTextException;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.language.EmbeddedLanguage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;

/**
 * SQL for one kind of database. The statements of a script are one transaction, and the rows of the last one are its result.
 */
abstract class SqlLanguage implements EmbeddedLanguage {
    /** For statements that a transaction cannot contain, such as {@code VACUUM}. */
    private static final Pattern WITHOUT_TRANSACTION =
            Pattern.compile("(?m)^\\s*--\\s*millrace:\\s*transaction=off\\s*$");

    private final String name;
    private final SqlDialect dialect;
    private final List<String> fileEndings;

    SqlLanguage(String name, SqlDialect dialect, List<String> fileEndings) {
        this.name = requireNonNull(name, "name");
        this.dialect = requireNonNull(dialect, "dialect");
        this.fileEndings = List.copyOf(fileEndings);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> fileEndings() {
        return fileEndings;
    }

    @Override
    public byte[] run(String source, JobContext job, int resultBytesMax) throws InterruptedException {
        List<SqlStatement> statements = split(source);
        if (statements.isEmpty()) {
            throw SqlErrors.script("The script has no statement.");
        }
        statements.forEach(this::check);
        SqlInput input = new SqlInput(job.inputBytes(), dialect);
        SqlSource database = source(input, job);
        try (SqlSession session = database.open()) {
            Connection connection = session.connection();
            connection.setAutoCommit(WITHOUT_TRANSACTION.matcher(source).find());
            SqlRun run = new SqlRun(session, input, job);
            byte[] result = stoppable(() -> run.run(statements, resultBytesMax), run, connection);
            session.succeeded();
            return result;
        } catch (SQLException e) {
            throw SqlErrors.connection(database.inWords(), e);
        }
    }

    private List<SqlStatement> split(String source) {
        try {
            return SqlText.split(source, dialect);
        } catch (SqlTextException unusable) {
            throw SqlErrors.script(String.valueOf(unusable.getMessage()));
        }
    }

    /**
     * Finds the database of a job.
     *
     * @throws JobException if the input names none that the job may use
     */
    abstract SqlSource source(SqlInput input, JobContext job);

    /**
     * Checks a statement before any of the script is executed; by default all are allowed.
     *
     * @throws JobException if the statement is not allowed
     */
    void check(SqlStatement statement) {}

    /** Waits for a run, and stops it once this thread is interrupted: drivers do not notice that themselves. */
    private static byte[] stoppable(Callable<byte[]> statements, SqlRun run, Connection connection)
            throws InterruptedException, SQLException {
        FutureTask<byte[]> task = new FutureTask<>(statements);
        Thread thread = new Thread(task, Thread.currentThread().getName() + "-sql");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            try {
                run.stop();
            } finally {
                connection.abort(Runnable::run);
            }
            throw e;
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case SQLException sql -> throw sql;
                case RuntimeException thrown -> throw thrown;
                case Error thrown -> throw thrown;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
