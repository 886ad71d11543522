package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.database.tables.Tables.FLOW;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import java.time.OffsetDateTime;
import java.util.Collection;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.TableField;

/**
 * Times at which versions of flows, or versions of scripts, were last used. A version is collected only if it was not
 * used for days. So code that has noted a use may rely on the version. The version stays until long after that use, or
 * until the use itself shows in the database.
 */
public final class VersionRows {
    public static final VersionRows FLOWS = new VersionRows(FLOW, FLOW.HASH, FLOW.USED_AT);
    public static final VersionRows SCRIPTS = new VersionRows(SCRIPT, SCRIPT.HASH, SCRIPT.USED_AT);

    private final Table<?> table;
    private final Field<String> hash;
    private final Field<OffsetDateTime> usedAt;

    private VersionRows(Table<?> table, TableField<?, String> hash, TableField<?, OffsetDateTime> usedAt) {
        this.table = table;
        this.hash = hash;
        this.usedAt = usedAt;
    }

    /**
     * Notes, within the caller's transaction, that the existing versions among these are used. None of them is
     * collected from then on.
     */
    public void use(DSLContext dsl, Collection<String> hashes) {
        // Lock the rows in one order, so that no two deployments wait for each other.
        var there = dsl.select(hash)
                .from(table)
                .where(hash.in(hashes))
                .orderBy(hash)
                .forNoKeyUpdate()
                .fetch(hash);
        dsl.update(table)
                .set(usedAt, currentOffsetDateTime())
                .where(hash.in(there))
                .execute();
    }

    /**
     * Notes that a version is about to be used by its hash, unless that was noted within the last day. Returns the
     * number of changed rows.
     */
    public int useNow(DSLContext dsl, String version) {
        return dsl.update(table)
                .set(usedAt, currentOffsetDateTime())
                .where(hash.eq(version).and(usedAt.lt(currentOffsetDateTime().minus(1))))
                .execute();
    }
}
