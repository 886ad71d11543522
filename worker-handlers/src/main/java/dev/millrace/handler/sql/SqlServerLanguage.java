package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import dev.millrace.worker.JobContext;
import java.sql.SQLException;
import java.util.List;

/** SQL for a database that is a server. */
abstract class SqlServerLanguage extends SqlLanguage {
    /** Places of the input that name the host of a database. */
    private static final List<String> HOST = List.of("", "/" + SqlDatabase.INPUT, "/" + SqlDatabase.INPUT + "/host");

    private record Server(KeptConnections connections, ConnectionKey key, JobContext job) implements SqlSource {
        @Override
        public SqlSession open() throws SQLException {
            return new KeptSession(connections, connections.take(key, job));
        }

        @Override
        public String inWords() {
            return key.database().inWords();
        }
    }

    private final KeptConnections connections;

    private final SqlServerOptions options;

    SqlServerLanguage(String name, SqlDialect dialect, List<String> fileEndings, SqlServerOptions options) {
        super(name, dialect, fileEndings);
        this.options = options;
        this.connections = new KeptConnections(dialect, System::nanoTime);
    }

    @Override
    final SqlSource source(SqlInput input, JobContext job) {
        boolean isPublicOnly = !options.allowPrivate() && HOST.stream().noneMatch(job.boundPointers()::contains);
        return new Server(
                connections, new ConnectionKey(job.workspace(), job.folder(), input.database(), isPublicOnly), job);
    }
}
