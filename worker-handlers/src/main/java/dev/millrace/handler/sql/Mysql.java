package dev.millrace.handler.sql;

import dev.millrace.text.sql.SqlDialect;
import java.util.List;

/** SQL for MySQL and MariaDB. */
public final class Mysql extends SqlServerLanguage {
    public Mysql() {
        this(SqlServerOptions.PUBLIC_ONLY);
    }

    public Mysql(SqlServerOptions options) {
        super("mysql", SqlDialect.MYSQL, List.of(".my.sql"), options);
    }
}
