package dev.millrace.scheduler.maintenance;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.millrace.scheduler.database.Database;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.LongStream;
import org.jooq.DSLContext;
import org.jooq.impl.SQLDataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds a partition of the history for each day ahead. A partition is attached, not created in place, so that writers go on; rows of
 * its day that had to go to the default partition, because no scheduler ran in time, move into it. Each day is a transaction of its
 * own; it gives up soon where a lock is taken, and the next run tries again.
 */
final class HistoryPartitionStore {
    private static final Logger log = LoggerFactory.getLogger(HistoryPartitionStore.class);

    /** How many days ahead have a partition. */
    static final int DAYS_AHEAD = 7;
    /** Advisory lock of the housekeeping; any number that nothing else in the database uses. */
    private static final long MAINTENANCE_LOCK = 0x6d696c6c6b656570L;

    private static final String LOCK_WAIT_MAX = "2s";

    private final Database database;

    HistoryPartitionStore(Database database) {
        this.database = database;
    }

    /** Adds the partitions from today on that are missing. Today is the database's. */
    void addMissing() {
        LocalDate today = database.run(dsl ->
                dsl.select(field("now()", SQLDataType.TIMESTAMPWITHTIMEZONE)).fetchSingle(row -> day(row.value1())));
        List<HistoryDay> days = LongStream.rangeClosed(0, DAYS_AHEAD)
                .mapToObj(ahead -> new HistoryDay(today.plusDays(ahead)))
                .toList();
        for (HistoryDay day : days) {
            if (database.transaction(dsl -> add(dsl, day))) {
                log.atInfo().addKeyValue("partition", day.table()).log("A partition of the history was added");
            }
        }
    }

    private static boolean add(DSLContext dsl, HistoryDay day) {
        if (exists(dsl, day) || !lock(dsl) || exists(dsl, day)) {
            return false;
        }
        var partition = table(name(day.table()));
        var from = inline(day.from());
        var to = inline(day.to());
        dsl.execute("set local lock_timeout = '" + LOCK_WAIT_MAX + "'");
        dsl.execute("create table {0} (like job_history including defaults including constraints)", partition);
        dsl.execute("lock table only job_history_default in access exclusive mode");
        dsl.execute(
                "with late as (delete from job_history_default where id >= {1} and id < {2} returning *)"
                        + " insert into {0} select * from late",
                partition, from, to);
        dsl.execute("alter table job_history attach partition {0} for values from ({1}) to ({2})", partition, from, to);
        return true;
    }

    private static boolean exists(DSLContext dsl, HistoryDay day) {
        return dsl.fetchSingle("select to_regclass({0}) is not null", inline(day.table()))
                .get(0, Boolean.class);
    }

    private static boolean lock(DSLContext dsl) {
        return dsl.fetchSingle("select pg_try_advisory_xact_lock({0})", inline(MAINTENANCE_LOCK))
                .get(0, Boolean.class);
    }

    private static LocalDate day(OffsetDateTime time) {
        return time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDate();
    }
}
