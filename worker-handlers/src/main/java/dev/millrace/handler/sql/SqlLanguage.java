package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobContext;
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
    private final KeptConnections connections;

    SqlLanguage(String name, SqlDialect dialect, List<String> fileEndings) {
        this.name = requireNonNull(name, "name");
        this.dialect = requireNonNull(dialect, "dialect");
        this.fileEndings = List.copyOf(fileEndings);
        this.connections = new KeptConnections(dialect, System::nanoTime);
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
        List<SqlStatement> statements = SqlText.split(source, dialect);
        if (statements.isEmpty()) {
            throw SqlErrors.script("The script has no statement.");
        }
        SqlInput input = new SqlInput(job.inputBytes(), dialect);
        SqlDatabase database = input.database();
        try {
            SqlConnection taken = connections.take(new ConnectionKey(job.workspace(), database), job);
            boolean isDone = false;
            try {
                Connection connection = taken.connection();
                connection.setAutoCommit(WITHOUT_TRANSACTION.matcher(source).find());
                SqlRun run = new SqlRun(connection, input, job);
                byte[] result = stoppable(() -> run.run(statements, resultBytesMax), run, connection);
                isDone = true;
                return result;
            } finally {
                giveBack(taken, isDone);
            }
        } catch (SQLException e) {
            throw SqlErrors.connection(database, e);
        }
    }

    /** Only a job that succeeded leaves a connection in a state that is known. */
    private void giveBack(SqlConnection taken, boolean isDone) {
        if (isDone) {
            connections.keep(taken);
        } else {
            taken.close();
        }
    }

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
