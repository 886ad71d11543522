package dev.millrace.scheduler.testing;

import dev.millrace.scheduler.database.Database;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Everything that stands in a database, as text. */
public record DatabaseText(Database database) {
    /** Tables of which a row contains a text in any of its columns; bytes are searched as text, too. */
    public List<String> tablesWith(String text) {
        return database.run(dsl -> {
            List<String> tables = dsl.fetch("""
                            select format('%I.%I', schemaname, tablename) from pg_tables
                            where schemaname not in ('pg_catalog', 'information_schema')
                            """).into(String.class);
            return tables.stream()
                    .filter(table -> dsl.fetchSingle(
                                    "select exists (select 1 from " + table
                                            + " as t where position(? in t::text) > 0 or position(? in t::text) > 0)",
                                    text,
                                    hex(text))
                            .into(boolean.class))
                    .map(table -> table.substring(table.indexOf('.') + 1))
                    .toList();
        });
    }

    /** The text as Postgres shows bytes. */
    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
