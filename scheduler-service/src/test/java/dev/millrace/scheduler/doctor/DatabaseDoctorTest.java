package dev.millrace.scheduler.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.config.DatabaseConfig;
import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.doctor.DatabaseFacts.DrainedWorker;
import dev.millrace.scheduler.doctor.DatabaseFacts.LiveWorker;
import dev.millrace.scheduler.doctor.DatabaseFacts.Missing;
import dev.millrace.scheduler.doctor.DatabaseFacts.PausedTag;
import dev.millrace.scheduler.doctor.DatabaseFacts.Unserved;
import dev.millrace.scheduler.doctor.Finding.Level;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DatabaseDoctorTest {
    private static final int NEEDED = 30;
    private static final Map<String, String> GOOD = Map.of(
            "fsync", "on",
            "full_page_writes", "on",
            "synchronous_commit", "on",
            "max_connections", "100",
            "autovacuum", "on",
            "track_counts", "on");

    @RegisterExtension
    private static final MigratedDatabase DATABASE = new MigratedDatabase();

    @Test
    void findsNothingWrongWithAGoodDatabase() {
        assertThat(DatabaseDoctor.judge(facts(settings -> settings, 180_000, Duration.ZERO), NEEDED, "1.0"))
                .allSatisfy(finding -> assertThat(finding.level()).isEqualTo(Level.OK));
    }

    @Test
    void findsSettingsThatLoseData() {
        assertThat(bad(with("fsync", "off")))
                .singleElement()
                .asString()
                .startsWith("database settings ERROR fsync is off");
        assertThat(bad(with("synchronous_commit", "off")))
                .singleElement()
                .asString()
                .startsWith("database settings ERROR synchronous_commit is off");
        assertThat(bad(with("autovacuum", "off")))
                .singleElement()
                .asString()
                .startsWith("database vacuum ERROR autovacuum is off");
        assertThat(bad(with("max_connections", "20")))
                .containsExactly(
                        "database connections ERROR max_connections is 20, but one scheduler may open 30 connections.");
    }

    @Test
    void findsOldServersAndClocksThatDiffer() {
        assertThat(bad(facts(settings -> settings, 130_012, Duration.ZERO)))
                .containsExactly("database version ERROR Postgres is version 13.12.");
        assertThat(bad(facts(settings -> settings, 180_000, Duration.ofSeconds(-5))))
                .containsExactly("clock WARNING The clock of Postgres is 5.0 s behind the clock of this machine.");
        assertThat(bad(facts(settings -> settings, 180_000, Duration.ofMinutes(2))))
                .containsExactly("clock ERROR The clock of Postgres is 120.0 s ahead of the clock of this machine.");
    }

    @Test
    void findsWhatIsStuck() {
        DatabaseFacts good = facts(settings -> settings, 180_000, Duration.ZERO);
        DatabaseFacts stuck = new DatabaseFacts(
                good.serverVersion(),
                good.settings(),
                good.clockAhead(),
                good.clockTolerance(),
                false,
                90,
                0.6,
                Duration.ofMinutes(30),
                Map.of("job_queue", 2_000_000L),
                "117",
                List.of(new LiveWorker("old", "0.9")),
                List.of(new Unserved("gpu", 3, Duration.ofMinutes(7))),
                List.of("01234567-89ab-7def-8123-456789abcdef"),
                List.of(new PausedTag("gpu", "ada", "driver update", Duration.ofHours(30), true)),
                List.of(new DrainedWorker("old", "ada", "new disk", Duration.ofHours(2))),
                List.of(new Missing("default", "secret shop/hook", "webhook shop/ship/incoming")));

        assertThat(bad(stuck))
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("database connections WARNING 90 of 100 connections"),
                        text -> assertThat(text)
                                .startsWith("database vacuum WARNING job_queue has 2,000,000 dead rows"),
                        text -> assertThat(text).startsWith("database vacuum WARNING A transaction has been open"),
                        text -> assertThat(text).startsWith("database vacuum ERROR 60 % of the transaction ids"),
                        text -> assertThat(text).startsWith("workers WARNING").contains("0.9 (old)"),
                        text -> assertThat(text).startsWith("queue ERROR").contains("gpu (3, the oldest for 7 min)"),
                        text -> assertThat(text)
                                .startsWith("pauses WARNING")
                                .contains("gpu (by ada for 30 h: driver update; jobs wait)"),
                        text -> assertThat(text)
                                .startsWith("drains WARNING")
                                .contains("old (by ada for 2 h: new disk)"),
                        text -> assertThat(text).startsWith("runs ERROR").contains("01234567"),
                        text -> assertThat(text)
                                .startsWith("references WARNING")
                                .contains(
                                        "the secret shop/hook by the webhook shop/ship/incoming in workspace default"));
    }

    @Test
    void examinesARealDatabaseWithBadSettings() {
        DATABASE.execute(
                "insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority,"
                        + " order_key, state, timeout_millis, input, created_at) values (0, gen_random_uuid(), gen_random_uuid(),"
                        + " 'default', 2, 'h', 'h', '', 'nobody-serves', 0, 0, 1, 1000, '{}', now() - interval '10 minutes')");
        DATABASE.execute("insert into paused_tag (tag, actor, reason, paused_at) values"
                + " ('nobody-serves', 'ada', '', now() - interval '2 hours')");
        // A drained worker serves nobody.
        DATABASE.execute(
                "insert into worker_session (id, resume_token_hash, worker_name, version, workspaces, runtimes, labels,"
                        + " slot_groups, killable, holder, expires_at, drained_at, drain_actor, drain_reason) values (gen_random_uuid(),"
                        + " 'x', 'leaving', '1.0', '{}', '{}', '{}', '[{\"name\": \"all\", \"slots\": 1, \"tags\": [\"nobody-serves\"]}]',"
                        + " false, gen_random_uuid(), now() + interval '1 hour', now() - interval '3 hours', 'ada', 'new disk')");
        DATABASE.execute("""
                insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                values ('00000000-0000-7000-8000-000000000001', 'default', 'webhook', 'shop/incoming', 1, '', '', '', '');
                insert into trigger_use (trigger_id, workspace, kind, path)
                values ('00000000-0000-7000-8000-000000000001', 'default', 3, 'shop/hook');
                insert into alert (workspace, name, types, channel, url_secret, created_by)
                values ('default', 'tell', '{}', 'slack', 'shop/address', '')
                """);
        change("set synchronous_commit = off");
        // Last, because the database takes no further changes; it is dropped after the tests.
        change("set default_transaction_read_only = on");

        assertThat(bad(DatabaseDoctor.examine(DATABASE.schedulerConfig().database(), 1, "1.0")))
                .anySatisfy(text ->
                        assertThat(text).startsWith("database version ERROR").contains("read-only"))
                .anySatisfy(text -> assertThat(text).startsWith("database settings ERROR synchronous_commit"))
                .anySatisfy(text -> assertThat(text).contains("nobody-serves (by ada for 2 h; jobs wait)"))
                .anySatisfy(text -> assertThat(text).contains("leaving (by ada for 3 h: new disk)"))
                .anySatisfy(text -> assertThat(text)
                        .contains("the secret shop/address by the alert tell", "the secret shop/hook by the webhook"))
                .anySatisfy(text -> assertThat(text).startsWith("queue ERROR").contains("nobody-serves (1"));
    }

    @Test
    void reportsADatabaseThatDoesNotAnswer() {
        assertThat(DatabaseDoctor.examine(
                        new DatabaseConfig(DatabaseLocation.parse("postgres://nobody@127.0.0.1:1/none"), 10, true),
                        1,
                        "1.0"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.level()).isEqualTo(Level.ERROR);
                    assertThat(finding.advice()).contains("millrace.database.url");
                });
    }

    private static DatabaseFacts with(String setting, String value) {
        return facts(
                settings -> {
                    Map<String, String> changed = new HashMap<>(settings);
                    changed.put(setting, value);
                    return changed;
                },
                180_000,
                Duration.ZERO);
    }

    private static DatabaseFacts facts(UnaryOperator<Map<String, String>> settings, int version, Duration clockAhead) {
        return new DatabaseFacts(
                version,
                settings.apply(GOOD),
                clockAhead,
                Duration.ZERO,
                false,
                12,
                0.01,
                Duration.ZERO,
                Map.of(),
                "117",
                List.of(new LiveWorker("one", "1.0")),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Subjects and levels of what is not good. */
    private static List<String> bad(DatabaseFacts facts) {
        return bad(DatabaseDoctor.judge(facts, NEEDED, "1.0"));
    }

    private static List<String> bad(List<Finding> findings) {
        List<Finding> bad =
                findings.stream().filter(finding -> finding.level() != Level.OK).toList();
        assertThat(bad).allSatisfy(finding -> assertThat(finding.advice()).endsWith("."));
        return bad.stream()
                .map(finding -> finding.subject() + " " + finding.level() + " " + finding.text())
                .toList();
    }

    private static void change(String setting) {
        DATABASE.execute("do $$ begin execute format('alter database %I " + setting + "', current_database()); end $$");
    }
}
