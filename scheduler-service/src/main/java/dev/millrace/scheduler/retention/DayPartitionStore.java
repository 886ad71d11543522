package dev.millrace.scheduler.retention;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jooq.DSLContext;
import org.jooq.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds, adds and takes away the day partitions of one table, within one transaction.
 *
 * <p>A new day is attached instead of created in place, so that writers are not blocked. If no scheduler ran in time,
 * rows of that day are in the default partition; they move into the new one.
 */
final class DayPartitionStore {
    private static final Logger log = LoggerFactory.getLogger(DayPartitionStore.class);

    /** Number of future days that have a partition. */
    static final int DAYS_AHEAD = 7;
    /**
     * Longest wait for an exclusive lock. While one is requested, all readers and writers of the table queue behind it.
     */
    private static final String LOCK_WAIT_MAX = "500ms";

    private static final String PARTITIONS = """
            select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ?::regclass
            """;

    private final DSLContext dsl;
    private final String parent;
    private final Since since;
    private final LocalDate today;

    DayPartitionStore(DSLContext dsl, String parent, Since since, LocalDate today) {
        this.dsl = dsl;
        this.parent = parent;
        this.since = since;
        this.today = today;
    }

    /** The days that have a partition, in their order. */
    List<Day> days() {
        return dsl.fetch(PARTITIONS, parent).getValues(0, String.class).stream()
                .flatMap(table -> Day.ofTable(parent, table).stream())
                .sorted(Comparator.comparing(Day::date))
                .toList();
    }

    boolean hasToday() {
        return days().contains(new Day(parent, today));
    }

    /** Adds the first day that is missing; false if all are there. */
    boolean addMissing(List<Day> days) {
        Optional<Day> missing = LongStream.rangeClosed(0, DAYS_AHEAD)
                .mapToObj(ahead -> new Day(parent, today.plusDays(ahead)))
                .filter(day -> !days.contains(day))
                .findFirst();
        missing.ifPresent(this::add);
        return missing.isPresent();
    }

    /** Locks the table against all others until the end of the transaction. */
    void lock() {
        limitLockWait();
        dsl.execute("lock table only {0} in access exclusive mode", sql(parent));
    }

    /** Makes a day a table of its own. */
    void detach(Day day) {
        dsl.execute("alter table {0} detach partition {1}", sql(parent), sql(day.table()));
    }

    /** Drops a day that was detached. */
    void drop(Day day) {
        dsl.execute("drop table {0}", sql(day.table()));
    }

    String defaultTable() {
        return parent + "_default";
    }

    private void add(Day day) {
        var from = inline(day.from());
        var to = inline(day.to());
        limitLockWait();
        dsl.execute(
                "create table {0} (like {1} including defaults including constraints)", sql(day.table()), sql(parent));
        dsl.execute("lock table only {0} in access exclusive mode", sql(defaultTable()));
        dsl.execute(
                "with late as (delete from {0} where {1} >= {2} and {1} < {3} returning *) insert into {4} select * from late",
                sql(defaultTable()), name(since.column()), from, to, sql(day.table()));
        dsl.execute(
                "alter table {0} attach partition {1} for values from ({2}) to ({3})",
                sql(parent), sql(day.table()), from, to);
        log.atInfo().addKeyValue("partition", day.table()).log("A partition was added");
    }

    private void limitLockWait() {
        dsl.execute("set local lock_timeout = '" + LOCK_WAIT_MAX + "'");
    }

    private static Table<?> sql(String table) {
        return table(name(table));
    }
}
