package dev.millrace.scheduler.retention;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds, drops and cleans the day partitions of a table with rows of runs, within one transaction.
 *
 * <p>An old day is dropped under an exclusive lock of the table. Under that lock, the rows that stay move to the
 * default partition, so there must be few of them. A day that keeps more than {@link #KEPT_ROWS_MAX} rows is not
 * dropped; its old rows are deleted in batches. The runs that stay are found before the lock is taken; under the lock,
 * runs that have been retried since are added.
 */
final class DayStore {
    private static final Logger log = LoggerFactory.getLogger(DayStore.class);

    /** Maximum number of rows that move under the exclusive lock. */
    static final int KEPT_ROWS_MAX = 10_000;
    /** Maximum number of rows that one transaction deletes. */
    static final int BATCH_MAX = 1_000;
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
    private final DayPartitionStore partitions;
    private final Cutoff cutoff;

    DayStore(DSLContext dsl, OldDays rule, LocalDate today, Cutoff cutoff) {
        this.dsl = dsl;
        this.rule = rule;
        this.partitions = new DayPartitionStore(dsl, rule.table(), rule.since(), today);
        this.cutoff = cutoff;
    }

    /**
     * Adds a missing day, drops an old one, or deletes one batch of rows.
     *
     * @param full days that keep too many rows to be dropped; this method adds those that it finds
     */
    Removed step(Set<Day> full) {
        List<Day> days = partitions.days();
        if (partitions.addMissing(days)) {
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
        int deleted = delete(partitions.defaultTable());
        return new Removed(deleted, deleted > 0);
    }

    /** Drops the day and returns the number of rows removed; empty if the day keeps too many rows. */
    private Optional<Long> drop(Day day) {
        Record counted = dsl.fetchSingle(countKept(day), cutoff.time(), cutoff.id(), KEPT_ROWS_MAX);
        if (counted.get("kept_rows", Long.class) > KEPT_ROWS_MAX) {
            return Optional.empty();
        }
        partitions.lock();
        Set<UUID> staying = new HashSet<>(List.of(counted.get("kept_runs", UUID[].class)));
        staying.addAll(dsl.fetch(LIVE_BEFORE, day.to()).getValues(0, UUID.class));
        partitions.detach(day);
        int moved = dsl.execute(
                "insert into " + rule.table() + " select * from " + day.table() + " where run_id = any (?::uuid[])",
                (Object) staying.toArray(UUID[]::new));
        partitions.drop(day);
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
}
