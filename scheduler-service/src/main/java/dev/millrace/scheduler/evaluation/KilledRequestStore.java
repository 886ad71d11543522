package dev.millrace.scheduler.evaluation;

import static dev.millrace.scheduler.database.tables.Tables.KILLED_REQUEST;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import dev.millrace.scheduler.database.Database;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.jooq.Condition;

/**
 * Store of requests that killed their evaluator process. Old rows are ignored: a request that once exceeded a limit may
 * succeed later.
 */
final class KilledRequestStore {
    /** Maximum number of rows that a scheduler reads, the newest first. */
    static final int ROWS_MAX = 10_000;
    /** How long a request is remembered. */
    static final Duration KEPT = Duration.ofDays(1);

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
        database.run(dsl -> dsl.insertInto(KILLED_REQUEST, KILLED_REQUEST.KEY, KILLED_REQUEST.REASON)
                .values(HexFormat.of().parseHex(key), reason)
                .onConflict(KILLED_REQUEST.KEY)
                .doUpdate()
                .set(KILLED_REQUEST.KILLED_AT, currentOffsetDateTime())
                .execute());
    }

    private static Condition isYoung() {
        return condition("killed_at > now() - interval '" + KEPT.toSeconds() + " s'");
    }
}
