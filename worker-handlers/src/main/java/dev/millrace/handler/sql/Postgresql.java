package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import java.util.List;

/** SQL for PostgreSQL. */
public final class Postgresql extends SqlServerLanguage {
    public Postgresql() {
        super("postgresql", SqlDialect.POSTGRESQL, List.of(".pg.sql", ".sql"));
    }
}
