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
 * When versions of flows, or those of scripts, were last used. A version is collected only if it was not used for days, so whoever has noted a use
 * may rely on the version: it stays until long after the end of what it is used for, or until that shows as a use of its own.
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

    /** Notes, inside the caller's transaction, that those of the versions are used that there are; none of them is collected from now on. */
    public void use(DSLContext dsl, Collection<String> hashes) {
        // In one order, so that no two deployments wait for each other.
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

    /** Notes that a version is about to be used by its hash, if that was not noted within a day; returns how many rows it has changed. */
    public int useNow(DSLContext dsl, String version) {
        return dsl.update(table)
                .set(usedAt, currentOffsetDateTime())
                .where(hash.eq(version).and(usedAt.lt(currentOffsetDateTime().minus(1))))
                .execute();
    }
}
