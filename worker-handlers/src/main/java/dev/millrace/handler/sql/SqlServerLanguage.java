package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import dev.millrace.worker.JobContext;
import java.sql.SQLException;
import java.util.List;

/** SQL for a database that is a server. */
abstract class SqlServerLanguage extends SqlLanguage {
    private record Server(KeptConnections connections, SqlDatabase database, JobContext job) implements SqlSource {
        @Override
        public SqlSession open() throws SQLException {
            return new KeptSession(
                    connections, connections.take(new ConnectionKey(job.workspace(), job.folder(), database), job));
        }

        @Override
        public String inWords() {
            return database.inWords();
        }
    }

    private final KeptConnections connections;

    SqlServerLanguage(String name, SqlDialect dialect, List<String> fileEndings) {
        super(name, dialect, fileEndings);
        this.connections = new KeptConnections(dialect, System::nanoTime);
    }

    @Override
    final SqlSource source(SqlInput input, JobContext job) {
        return new Server(connections, input.database(), job);
    }
}
