package dev.millrace.scheduler.version;

import static dev.millrace.scheduler.database.tables.Tables.FLOW;
import static dev.millrace.scheduler.database.tables.Tables.FLOW_VERSION;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_VERSION;
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
    public static final VersionRows FLOWS = new VersionRows(
            FLOW, FLOW.HASH, FLOW.USED_AT, new Owners(FLOW_VERSION, FLOW_VERSION.WORKSPACE, FLOW_VERSION.HASH));
    public static final VersionRows SCRIPTS = new VersionRows(
            SCRIPT,
            SCRIPT.HASH,
            SCRIPT.USED_AT,
            new Owners(SCRIPT_VERSION, SCRIPT_VERSION.WORKSPACE, SCRIPT_VERSION.HASH));

    final Table<?> table;
    final Field<String> hash;
    final Owners owners;
    private final Field<OffsetDateTime> usedAt;

    private VersionRows(
            Table<?> table, TableField<?, String> hash, TableField<?, OffsetDateTime> usedAt, Owners owners) {
        this.table = table;
        this.hash = hash;
        this.usedAt = usedAt;
        this.owners = owners;
    }

    /** The table of the workspaces in which versions were deployed or stored. */
    record Owners(Table<?> table, Field<String> workspaces, Field<String> hashes) {}

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
