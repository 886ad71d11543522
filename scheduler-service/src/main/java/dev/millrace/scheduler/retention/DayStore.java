package dev.millrace.scheduler.retention;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds, drops and cleans the day partitions of one table, within one transaction.
 *
 * <p>A new day is attached instead of created in place, so that writers are not blocked. If no scheduler ran in time,
 * rows of that day are in the default partition; they move into the new one.
 *
 * <p>An old day is dropped under an exclusive lock of the table. Under that lock, the rows that stay move to the
 * default partition, so there must be few of them. A day that keeps more than {@link #KEPT_ROWS_MAX} rows is not
 * dropped; its old rows are deleted in batches. The runs that stay are found before the lock is taken; under the lock,
 * runs that have been retried since are added.
 */
final class DayStore {
    private static final Logger log = LoggerFactory.getLogger(DayStore.class);

    /** Number of future days that have a partition. */
    static final int DAYS_AHEAD = 7;
    /** Maximum number of rows that move under the exclusive lock. */
    static final int KEPT_ROWS_MAX = 10_000;
    /** Maximum number of rows that one transaction deletes. */
    static final int BATCH_MAX = 1_000;
    /**
     * Longest wait for an exclusive lock. While one is requested, all readers and writers of the table queue behind it.
     */
    private static final String LOCK_WAIT_MAX = "500ms";

    private static final String PARTITIONS = """
            select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ?::regclass
            """;
    /** Blocks pins and unpins until the end of the transaction. */
    private static final String HOLD_PINS = "lock table pinned_run in share mode";

    private static final String LIVE_BEFORE = "select id from job_queue where id = run_id and id < ?";

    /** Parameters: time and id of the cutoff. */
    private static String isKept(String run) {
        return "(" + RunConditions.isHeld(run) + " or "
                + RunConditions.hasEnded(run, "(h.ended_at >= ?::timestamptz or h.id >= ?::uuid)") + ")";
    }

    private static String countKept(Day day) {
        return """
                with runs as materialized (select run_id, count(*) as steps from %s group by run_id),
                kept as materialized (select run_id, steps from runs r where %s)
                select (select coalesce(sum(steps), 0) from runs)::bigint as all_rows,
                    (select coalesce(sum(steps), 0) from kept)::bigint as kept_rows,
                    array(select run_id from kept limit ?) as kept_runs
                """.formatted(day.table(), isKept("r.run_id"));
    }

    private final DSLContext dsl;
    private final OldDays rule;
    private final LocalDate today;
    private final Cutoff cutoff;

    DayStore(DSLContext dsl, OldDays rule, LocalDate today, Cutoff cutoff) {
        this.dsl = dsl;
        this.rule = rule;
        this.today = today;
        this.cutoff = cutoff;
    }

    /**
     * Adds a missing day, drops an old one, or deletes one batch of rows.
     *
     * @param full days that keep too many rows to be dropped; this method adds those that it finds
     */
    Removed step(Set<Day> full) {
        List<Day> days = days();
        Optional<Day> missing = LongStream.rangeClosed(0, DAYS_AHEAD)
                .mapToObj(ahead -> new Day(rule.table(), today.plusDays(ahead)))
                .filter(day -> !days.contains(day))
                .findFirst();
        if (missing.isPresent()) {
            add(missing.get());
            return new Removed(0, true);
        }
        dsl.execute(HOLD_PINS);
        for (Day day : days.stream().filter(day -> day.isBefore(cutoff)).toList()) {
            Optional<Long> dropped = full.contains(day) ? Optional.empty() : drop(day);
            if (dropped.isPresent()) {
                return new Removed(dropped.get(), true);
            }
            full.add(day);
            int deleted = delete(day.table());
            if (deleted > 0) {
                return new Removed(deleted, true);
            }
        }
        int deleted = delete(defaultTable());
        return new Removed(deleted, deleted > 0);
    }

    private List<Day> days() {
        return dsl.fetch(PARTITIONS, rule.table()).getValues(0, String.class).stream()
                .flatMap(table -> Day.ofTable(rule.table(), table).stream())
                .sorted(Comparator.comparing(Day::date))
                .toList();
    }

    private void add(Day day) {
        var from = inline(day.from());
        var to = inline(day.to());
        limitLockWait();
        dsl.execute(
                "create table {0} (like {1} including defaults including constraints)",
                sql(day.table()), sql(rule.table()));
        dsl.execute("lock table only {0} in access exclusive mode", sql(defaultTable()));
        dsl.execute(
                "with late as (delete from {0} where {1} >= {2} and {1} < {3} returning *) insert into {4} select * from late",
                sql(defaultTable()), name(rule.since().column()), from, to, sql(day.table()));
        dsl.execute(
                "alter table {0} attach partition {1} for values from ({2}) to ({3})",
                sql(rule.table()), sql(day.table()), from, to);
        log.atInfo().addKeyValue("partition", day.table()).log("A partition was added");
    }

    /** Drops the day and returns the number of rows removed; empty if the day keeps too many rows. */
    private Optional<Long> drop(Day day) {
        Record counted = dsl.fetchSingle(countKept(day), cutoff.time(), cutoff.id(), KEPT_ROWS_MAX);
        if (counted.get("kept_rows", Long.class) > KEPT_ROWS_MAX) {
            return Optional.empty();
        }
        limitLockWait();
        dsl.execute("lock table only {0} in access exclusive mode", sql(rule.table()));
        Set<UUID> staying = new HashSet<>(List.of(counted.get("kept_runs", UUID[].class)));
        staying.addAll(dsl.fetch(LIVE_BEFORE, day.to()).getValues(0, UUID.class));
        dsl.execute("alter table {0} detach partition {1}", sql(rule.table()), sql(day.table()));
        int moved = dsl.execute(
                "insert into " + rule.table() + " select * from " + day.table() + " where run_id = any (?::uuid[])",
                (Object) staying.toArray(UUID[]::new));
        dsl.execute("drop table {0}", sql(day.table()));
        log.atInfo()
                .addKeyValue("partition", day.table())
                .addKeyValue("kept", moved)
                .log("A partition was dropped");
        return Optional.of(counted.get("all_rows", Long.class) - moved);
    }

    private int delete(String partition) {
        String condition = "not " + isKept("t.run_id") + " and (" + rule.condition() + ")";
        return dsl.fetchSingle(
                        OldRows.removal(partition, rule.since(), condition, ""),
                        cutoff.id(),
                        cutoff.time(),
                        cutoff.id(),
                        BATCH_MAX)
                .get(0, Integer.class);
    }

    private void limitLockWait() {
        dsl.execute("set local lock_timeout = '" + LOCK_WAIT_MAX + "'");
    }

    private String defaultTable() {
        return rule.table() + "_default";
    }

    private static Table<?> sql(String table) {
        return table(name(table));
    }
}
