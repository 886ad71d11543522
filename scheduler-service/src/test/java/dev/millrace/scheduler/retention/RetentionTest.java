package dev.millrace.scheduler.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.RetentionConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final OldRows RULE = OldRows.of(
            "submission",
            "Submissions",
            Since.time("created_at"),
            Age.setting("millrace.retention.submissions", Duration.ofDays(7)));
    private static final OldRows BROKEN = OldRows.of(
                    "mutex", "Mutexes", Since.time("expires_at"), Age.fixed(Duration.ZERO))
            .where("1 / 0 = 1");

    @AutoClose
    private final RetentionDatabase tables = new RetentionDatabase();

    @Test
    void sweepsOnceAnIntervalHoweverManySchedulersThereAre() {
        old(1);
        tables.retention(RULE).runOnce();
        old(1);

        tables.retention(RULE).runOnce();

        assertThat(tables.count("submission")).isOne();
        tables.execute("update retention_sweep set due_at = due_at - interval '1 hour'");
        tables.retention(RULE).runOnce();
        assertThat(tables.count("submission")).isZero();
    }

    @Test
    void leavesARuleToTheSchedulerThatWorksOnIt() {
        old(1);
        tables.retention(RULE).runOnce();
        old(1);
        tables.execute("update retention_sweep set due_at = now()");

        tables.database.transaction(dsl -> {
            dsl.fetch("select 1 from retention_sweep where rule = 'submission' for update");
            tables.retention(RULE).runOnce();
            return 0;
        });

        assertThat(tables.count("submission")).isOne();
        tables.retention(RULE).runOnce();
        assertThat(tables.count("submission")).isZero();
    }

    @Test
    void isSharedAmongSchedulersThatSweepAtTheSameTime() throws Exception {
        old(5_000);
        OldRows small = RULE.inBatchesOf(100);

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Duration>> schedulers = IntStream.range(0, 3)
                    .mapToObj(_ -> threads.submit(() -> tables.retention(small).runOnce()))
                    .toList();
            for (Future<Duration> scheduler : schedulers) {
                scheduler.get();
            }
        }

        assertThat(tables.count("submission")).isZero();
        assertThat(tables.texts("select coalesce(error, '') from retention_sweep"))
                .containsExactly("");
    }

    @Test
    void goesOnWhereASchedulerDiedBetweenTwoSteps() {
        old(3);
        assertThat(tables.store().step(RULE.inBatchesOf(2), 0, Set.of())).contains(new Removed(2, true));

        tables.retention(RULE).runOnce();

        assertThat(tables.count("submission")).isZero();
    }

    @Test
    void notesWhatFailsAndSweepsTheOthers() {
        old(1);
        tables.execute(
                "insert into mutex values ('w', 'm', 0, gen_random_uuid(), 1, array[gen_random_uuid()], 1, now() - interval '1 day')");

        tables.retention(BROKEN, RULE).runOnce();

        assertThat(tables.count("submission")).isZero();
        assertThat(tables.retention(BROKEN).status()).singleElement().satisfies(status -> {
            assertThat(status.error()).contains("division by zero");
            assertThat(status.failed()).isPresent();
            assertThat(status.swept()).isEmpty();
        });
        tables.execute("update retention_sweep set due_at = now()");
        tables.retention(BROKEN.where("true")).runOnce();
        assertThat(tables.retention(BROKEN).status()).singleElement().satisfies(status -> {
            assertThat(status.error()).isEmpty();
            assertThat(status.failed()).isEmpty();
            assertThat(status.removedRows()).isOne();
        });
    }

    @Test
    void takesTheAgeFromTheSettings() {
        old(1);
        RetentionConfig config = new RetentionConfig(Map.of("millrace.retention.submissions", Duration.ofDays(9)));

        try (Retention retention = new Retention(tables.database, config, List.of(RULE))) {
            retention.runOnce();

            assertThat(tables.count("submission")).isOne();
            assertThat(retention.status()).extracting(RetentionStatus::age).containsExactly(Duration.ofDays(9));
        }
    }

    @Test
    void refusesASettingThatIsNoRules() {
        RetentionConfig config = new RetentionConfig(Map.of("millrace.retention.submission", Duration.ofDays(9)));

        assertThatThrownBy(() -> new Retention(tables.database, config, List.of(RULE)))
                .hasMessageContaining(
                        "millrace.retention.submission in the settings is unknown: did you mean millrace.retention.submissions?");
    }

    @Test
    void tellsWhatIsKept() {
        tables.execute("""
                insert into submission select 'w', 'old', '', '{}', now() - interval '8 days';
                insert into submission select 'w', 'young' || n, '', '{}', now() from generate_series(1, 99) n;
                analyze submission
                """);
        awaitStatistics(100);

        assertThat(tables.retention(RULE).status()).singleElement().satisfies(status -> {
            assertThat(status.table()).isEqualTo("submission");
            assertThat(status.setting()).contains("millrace.retention.submissions");
            assertThat(status.bytes()).isPositive();
            assertThat(Stream.of(status.oldest().orElseThrow().toString()))
                    .containsAll(
                            tables.texts(
                                    "select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') from submission"));
            assertThat(status.swept()).isEmpty();
        });
    }

    /** Waits until Postgres has written its statistics, which the process of a connection does as it ends. */
    private void awaitStatistics(long rows) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (estimate() != rows) {
            assertThat(System.nanoTime())
                    .as("%d estimated rows, not %d", estimate(), rows)
                    .isLessThan(end);
        }
    }

    private long estimate() {
        return tables.retention(RULE).status().getFirst().rowsEstimate();
    }

    private void old(int rows) {
        tables.execute(
                "insert into submission select 'w', gen_random_uuid()::text, '', '{}', now() - interval '8 days' from generate_series(1, %s)"
                        .formatted(rows));
    }
}
