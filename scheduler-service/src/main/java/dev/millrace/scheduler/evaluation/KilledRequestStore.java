package dev.millrace.scheduler.evaluation;

import static dev.millrace.scheduler.database.tables.Tables.KILLED_REQUEST;
import static org.jooq.impl.DSL.condition;

import dev.millrace.scheduler.database.Database;
import java.util.HexFormat;
import java.util.List;
import org.jooq.Condition;

/** The table of requests that kill. Rows are dropped when they are old: what a limit was once may be enough another time. */
final class KilledRequestStore {
    /** Most rows that a scheduler reads, the youngest first. */
    static final int ROWS_MAX = 10_000;
    /** How long a request is remembered. */
    private static final String KEPT = "1 day";

    private final Database database;

    KilledRequestStore(Database database) {
        this.database = database;
    }

    record Killed(String key, String reason) {}

    List<Killed> list() {
        return database.run(dsl -> dsl.selectFrom(KILLED_REQUEST)
                .where(isYoung())
                .orderBy(KILLED_REQUEST.KILLED_AT.desc())
                .limit(ROWS_MAX)
                .fetch(row -> new Killed(
                        HexFormat.of().formatHex(row.get(KILLED_REQUEST.KEY)), row.get(KILLED_REQUEST.REASON))));
    }

    void add(String key, String reason) {
        database.run(dsl -> {
            dsl.deleteFrom(KILLED_REQUEST).where(isYoung().not()).execute();
            return dsl.insertInto(KILLED_REQUEST, KILLED_REQUEST.KEY, KILLED_REQUEST.REASON)
                    .values(HexFormat.of().parseHex(key), reason)
                    .onConflictDoNothing()
                    .execute();
        });
    }

    private static Condition isYoung() {
        return condition("killed_at > now() - interval '" + KEPT + "'");
    }
}
