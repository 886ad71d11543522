package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import java.util.List;

/** SQL for PostgreSQL. */
public final class Postgresql extends SqlServerLanguage {
    public Postgresql() {
        this(SqlServerOptions.PUBLIC_ONLY);
    }

    public Postgresql(SqlServerOptions options) {
        super("postgresql", SqlDialect.POSTGRESQL, List.of(".pg.sql", ".sql"), options);
    }
}
