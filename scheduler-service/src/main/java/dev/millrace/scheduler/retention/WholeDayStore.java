package dev.millrace.scheduler.retention;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds and drops the day partitions of a table whose rows belong to no run, within one transaction. Rows that came too
 * early for their partition are deleted in batches once they are old.
 */
final class WholeDayStore {
    private static final Logger log = LoggerFactory.getLogger(WholeDayStore.class);

    private final DSLContext dsl;
    private final WholeDays rule;
    private final DayPartitionStore partitions;
    private final Cutoff cutoff;

    WholeDayStore(DSLContext dsl, WholeDays rule, LocalDate today, Cutoff cutoff) {
        this.dsl = dsl;
        this.rule = rule;
        this.partitions = new DayPartitionStore(dsl, rule.table(), rule.since(), today);
        this.cutoff = cutoff;
    }

    /** Adds a missing day, drops an old one, or deletes one batch of rows. */
    Removed step() {
        List<Day> days = partitions.days();
        if (partitions.addMissing(days)) {
            return new Removed(0, true);
        }
        Optional<Day> old = days.stream().filter(day -> day.isBefore(cutoff)).findFirst();
        if (old.isPresent()) {
            return new Removed(drop(old.get()), true);
        }
        String removal = OldRows.removal(partitions.defaultTable(), rule.since(), "true", "");
        int deleted = dsl.fetchSingle(removal, cutoff.in(rule.since()), DayStore.BATCH_MAX)
                .get(0, Integer.class);
        return new Removed(deleted, deleted == DayStore.BATCH_MAX);
    }

    private long drop(Day day) {
        long rows = dsl.fetchSingle("select count(*) from " + day.table()).get(0, Long.class);
        partitions.lock();
        partitions.detach(day);
        partitions.drop(day);
        log.atInfo().addKeyValue("partition", day.table()).log("A partition was dropped");
        return rows;
    }
}
