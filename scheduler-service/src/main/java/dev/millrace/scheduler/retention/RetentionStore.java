package dev.millrace.scheduler.retention;

import dev.millrace.scheduler.config.RetentionConfig;
import dev.millrace.scheduler.database.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Runs sweeps in Postgres, one transaction a step.
 *
 * <p>Each step locks the rule's row in {@code retention_sweep}, and schedulers that find this row locked skip the rule.
 * If a scheduler dies between two steps, the rule stays due. If it dies within a step, nothing has changed.
 */
final class RetentionStore {
    private static final int ERROR_LENGTH_MAX = 500;

    private static final String DUE = """
            select r.rule from unnest(?::text[]) with ordinality as r (rule, place) left join retention_sweep s using (rule)
            where s.due_at is null or s.due_at <= now() order by r.place
            """;
    private static final String NOTE_RULE = "insert into retention_sweep (rule) values (?) on conflict do nothing";
    private static final String CLAIM =
            "select now() from retention_sweep where rule = ? and due_at <= now() for update skip locked";
    private static final String LOCK = "select now() from retention_sweep where rule = ? for update";
    private static final String NOTE_END = """
            update retention_sweep
            set swept_at = now(), removed_rows = ?, failed_at = null, error = null, due_at = now() + ? * interval '1 millisecond'
            where rule = ?
            """;
    private static final String NOTE_FAILURE = """
            insert into retention_sweep (rule, failed_at, error, due_at) values (?, now(), ?, now() + ? * interval '1 millisecond')
            on conflict (rule) do update
            set failed_at = excluded.failed_at, error = excluded.error, due_at = excluded.due_at
            """;
    /** Sizes include the tables whose rows a foreign key deletes along with the rows of the rule's table. */
    private static final String STATUS = """
            select s.due_at, s.swept_at, s.removed_rows, s.failed_at, s.error, size.*
            from unnest(?::text[]) with ordinality as r (rule, place) left join retention_sweep s using (rule)
            cross join lateral (
                select sum(pg_total_relation_size(held.id))::bigint as bytes,
                    sum(case when held.is_own then
                        coalesce(nullif(pg_stat_get_live_tuples(held.id), 0), greatest(c.reltuples, 0)) else 0 end)::bigint as rows_estimate
                from (
                    select r.rule::regclass::oid as id, true as is_own
                    union all
                    select relid, true from pg_partition_tree(r.rule::regclass) where isleaf
                    union all
                    select conrelid, false from pg_constraint where confrelid = r.rule::regclass and confdeltype = 'c'
                ) held
                join pg_class c on c.oid = held.id and c.relkind = 'r'
            ) size
            order by r.place
            """;

    private final Database database;
    private final RetentionConfig config;

    RetentionStore(Database database, RetentionConfig config) {
        this.database = database;
        this.config = config;
    }

    /** The rules that are due for a sweep. */
    List<RetentionRule> due(List<RetentionRule> rules) {
        Set<String> due = Set.copyOf(
                database.run(dsl -> dsl.fetch(DUE, (Object) tables(rules)).getValues(0, String.class)));
        return rules.stream().filter(rule -> due.contains(rule.table())).toList();
    }

    /**
     * Adds the partition of the present day to the rule's table, if it is missing. Otherwise a row of the day may go to
     * the default partition while the day is attached, and Postgres then refuses the row.
     */
    void addToday(RetentionRule rule) {
        boolean isThere = database.run(dsl -> partitions(
                        dsl, rule, dsl.fetchSingle("select now()").get(0, OffsetDateTime.class))
                .hasToday());
        if (!isThere) {
            database.run(dsl -> dsl.execute(NOTE_RULE, rule.table()));
            database.transaction(dsl -> {
                OffsetDateTime now = dsl.fetchSingle(LOCK, rule.table()).get(0, OffsetDateTime.class);
                DayPartitionStore partitions = partitions(dsl, rule, now);
                return !partitions.hasToday() && partitions.addMissing(partitions.days());
            });
        }
    }

    private static DayPartitionStore partitions(DSLContext dsl, RetentionRule rule, OffsetDateTime now) {
        return new DayPartitionStore(
                dsl,
                rule.table(),
                rule.since(),
                now.withOffsetSameInstant(ZoneOffset.UTC).toLocalDate());
    }

    /**
     * Executes one step of a sweep. Empty if another scheduler is executing one, or has finished the sweep.
     *
     * @param before number of rows that earlier steps of this sweep have removed
     * @param full days that this sweep cannot drop; see {@link DayStore#step}
     */
    Optional<Removed> step(RetentionRule rule, long before, Set<Day> full) {
        return database.transaction(dsl -> {
            dsl.execute(NOTE_RULE, rule.table());
            return dsl.fetchOptional(CLAIM, rule.table())
                    .map(row -> step(dsl, rule, row.get(0, OffsetDateTime.class), before, full));
        });
    }

    private Removed step(DSLContext dsl, RetentionRule rule, OffsetDateTime now, long before, Set<Day> full) {
        Cutoff cutoff = Cutoff.of(now, rule.age().in(config));
        LocalDate today = now.withOffsetSameInstant(ZoneOffset.UTC).toLocalDate();
        Removed removed = switch (rule) {
            case OldRows rows -> {
                int gone = dsl.fetchSingle(rows.removal(), cutoff.in(rows.since()), rows.batchMax())
                        .get(0, Integer.class);
                yield new Removed(gone, gone == rows.batchMax());
            }
            case OldDays days -> new DayStore(dsl, days, today, cutoff).step(full);
            case WholeDays days -> new WholeDayStore(dsl, days, today, cutoff).step();
        };
        if (!removed.isMore()) {
            dsl.execute(NOTE_END, before + removed.rows(), rule.interval().toMillis(), rule.table());
        }
        return removed;
    }

    /** Records that a sweep failed, and when it is due again. */
    void noteFailure(RetentionRule rule, String error, Duration retry) {
        String text = error.length() > ERROR_LENGTH_MAX ? error.substring(0, ERROR_LENGTH_MAX) : error;
        database.run(dsl -> dsl.execute(NOTE_FAILURE, rule.table(), text, retry.toMillis()));
    }

    List<RetentionStatus> status(List<RetentionRule> rules) {
        return database.run(dsl -> {
            List<Record> rows = dsl.fetch(STATUS, (Object) tables(rules));
            return IntStream.range(0, rules.size())
                    .mapToObj(i -> status(dsl, rules.get(i), rows.get(i)))
                    .toList();
        });
    }

    private RetentionStatus status(DSLContext dsl, RetentionRule rule, Record row) {
        return new RetentionStatus(
                rule.table(),
                rule.holds(),
                rule.age().in(config),
                rule.age().setting(),
                row.get("rows_estimate", Long.class),
                row.get("bytes", Long.class),
                oldest(dsl, rule),
                instant(row, "swept_at"),
                Optional.ofNullable(row.get("removed_rows", Long.class)).orElse(0L),
                instant(row, "due_at"),
                instant(row, "failed_at"),
                Optional.ofNullable(row.get("error", String.class)).orElse(""));
    }

    private static Optional<Instant> oldest(DSLContext dsl, RetentionRule rule) {
        String column = rule.since().column();
        @Nullable Record first = rule.since().isId()
                ? dsl.fetchOne("select %1$s from %2$s order by %1$s limit 1".formatted(column, rule.table()))
                : dsl.fetchOne("select %1$s from %2$s where isfinite(%1$s) order by %1$s limit 1"
                        .formatted(column, rule.table()));
        return Optional.ofNullable(first)
                .map(row -> rule.since().isId()
                        ? Cutoff.madeAt(row.get(0, UUID.class))
                        : row.get(0, OffsetDateTime.class).toInstant());
    }

    private static Optional<Instant> instant(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    private static String[] tables(List<RetentionRule> rules) {
        return rules.stream().map(RetentionRule::table).toArray(String[]::new);
    }
}
