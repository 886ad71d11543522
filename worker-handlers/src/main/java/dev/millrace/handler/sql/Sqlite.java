package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import dev.millrace.text.sql.SqlStatement;
import dev.millrace.worker.JobContext;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * SQL for SQLite, which runs within the worker. So a script can only do what SQLite does inside of one database: its
 * statements begin with a known word, and its file is in a folder that the operator allows. Without such a folder there are no
 * databases in memory either, as SQLite shares the memory of the worker.
 */
public final class Sqlite extends SqlLanguage {
    /** Statements that only work with the database of the job. Others attach files or change settings of the process. */
    private static final Set<String> ALLOWED = Set.of(
            "alter", "analyze", "create", "delete", "drop", "explain", "insert", "reindex", "replace", "select",
            "update", "values", "with");

    private record File(SqliteFile file, String path) implements SqlSource {
        @Override
        public SqlSession open() throws SQLException {
            return SqliteSession.open(path, file.mode());
        }

        @Override
        public String inWords() {
            return path;
        }
    }

    private final SqliteFolders folders;

    /** SQLite where the operator has allowed no folder, so that its jobs fail and say so. */
    public Sqlite() {
        this(List.of());
    }

    /** @param folders where files may be */
    public Sqlite(List<SqliteFolder> folders) {
        super("sqlite", SqlDialect.SQLITE, List.of(".sqlite.sql"));
        this.folders = new SqliteFolders(folders);
    }

    @Override
    SqlSource source(SqlInput input, JobContext job) {
        SqliteFile file = input.file();
        folders.requireSome(job.workspace());
        return new File(
                file,
                file.isMemory()
                        ? SqliteFile.MEMORY
                        : folders.find(file, job.workspace()).toString());
    }

    @Override
    void check(SqlStatement statement) {
        if (!ALLOWED.contains(statement.word().toLowerCase(Locale.ROOT))) {
            throw SqlErrors.script("The statement in line " + statement.line() + " begins with \""
                    + statement.word().toUpperCase(Locale.ROOT)
                    + "\", which scripts for SQLite cannot use. They can use "
                    + String.join(
                            ", ",
                            ALLOWED.stream()
                                    .sorted()
                                    .map(one -> one.toUpperCase(Locale.ROOT))
                                    .toList())
                    + "; a transaction around the script is there already.");
        }
    }
}
