package dev.millrace.e2e.storm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.storm.Verdict.Breach;
import dev.millrace.e2e.storm.Verdict.Finding;
import dev.millrace.e2e.support.Installation;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.Postgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A storm: three schedulers with two lanes each, three workers and a Postgres are killed, frozen, stopped and cut off.
 * The connections between them become silent and break. Runs of all kinds are in progress meanwhile.
 *
 * <p>{@code -Dmillrace.storm.seconds=600} makes it longer, {@code -Dmillrace.storm.rate=5} sets the runs per second,
 * {@code -Dmillrace.test.seed=N} repeats an earlier plan, and {@code -Dmillrace.storm.without=KILL_POSTGRES,…} leaves
 * out strikes, kinds of runs and kinds of findings.
 */
// The caller chooses the duration.
@Timeout(value = 1, unit = TimeUnit.DAYS)
final class StormTest {
    private static final String SEED = "millrace.test.seed";
    private static final String SECONDS = "millrace.storm.seconds";
    private static final String RATE = "millrace.storm.rate";
    private static final String WITHOUT = "millrace.storm.without";

    private static final int SECONDS_DEFAULT = 15;
    private static final int RATE_DEFAULT = 3;
    private static final Duration CALM_LIMIT = Duration.ofMinutes(15);
    /** Longer than any retry, lease, session or sweep of the plan, and than the start of a service on a busy machine. */
    private static final Duration STANDSTILL = Duration.ofMinutes(4);

    private static final int FINDINGS_SHOWN_MAX = 60;
    private static final int RUNS_EXPLAINED_MAX = 20;

    @Test
    void keepsEveryPromise(@TempDir Path folder) throws Exception {
        long seed = Long.getLong(SEED, System.nanoTime());
        Duration duration = Duration.ofSeconds(Integer.getInteger(SECONDS, SECONDS_DEFAULT));
        StormPlan plan = StormPlan.of(
                seed, duration, Integer.getInteger(RATE, RATE_DEFAULT), leftOut(Kind.class), leftOut(Strike.class));
        System.out.println(
                "StormTest: " + duration.toSeconds() + " s, " + plan.runs().size() + " runs, seed " + seed
                        + "; repeat it with -D" + SEED + "=" + seed + " -D" + SECONDS + "=" + duration.toSeconds());
        Path effects = Files.createDirectory(folder.resolve("effects"));
        try (EmbeddedServer server = EmbeddedServer.start();
                Installation installation = Installation.start(
                        "storm",
                        server.createDatabase(),
                        ClusterPlan.small()
                                .withSchedulers(Strike.SCHEDULERS)
                                .withWorkers(0, 1, 2)
                                .withProxies()
                                .with("millrace.lanes", "2")
                                .with("millrace.worker.session-ttl", "4s")
                                .with("millrace.worker.heartbeat-interval", "1s")
                                .with("millrace.worker.slots", "python=4,deno=4")
                                // A storm consists of losses, and none is caused by a job.
                                .with("millrace.job.losses-max", "1000"))) {
            StormFlows.deploy(installation.api());
            var storm = new Storm(
                    plan,
                    new Strike.Field(installation.cluster(), server, installation.postgres()),
                    installation.api(),
                    effects);
            storm.rage();
            storm.log("the storm is over");
            awaitCalm(installation.postgres());
            storm.log("calm");

            Verdict.Result verdict = Verdict.of(
                    plan,
                    storm.runIds(),
                    installation.postgres(),
                    effects,
                    installation.cluster().folder());
            report(plan, verdict);
            verdict.runsLeft().stream()
                    .limit(RUNS_EXPLAINED_MAX)
                    .forEach(run -> System.out.println("  "
                            + installation
                                    .api()
                                    .get("/api/v1/runs/" + run + "/explanation")
                                    .body()));
            assertThat(storm.mistakes()).as("answers, seed %s", seed).isEmpty();
            Set<Breach> known = leftOut(Breach.class);
            assertThat(verdict.findings().stream()
                            .filter(finding -> !known.contains(finding.breach()))
                            .limit(FINDINGS_SHOWN_MAX)
                            .map(Finding::toString))
                    .as("findings, seed %s", seed)
                    .isEmpty();
        }
    }

    /**
     * Returns when everything has ended, or when nothing has changed for so long that it never will; the verdict
     * reports what is left.
     */
    private static void awaitCalm(Postgres postgres) {
        var last = new AtomicLong(Long.MAX_VALUE);
        var lastMoved = new AtomicLong(System.nanoTime());
        Await.until("everything has ended or stands still", CALM_LIMIT, () -> {
            long left = left(postgres);
            if (left != last.getAndSet(left)) {
                lastMoved.set(System.nanoTime());
            }
            return left == 0 || System.nanoTime() - lastMoved.get() > STANDSTILL.toNanos();
        });
    }

    /** Number of rows that must disappear with their runs. */
    private static long left(Postgres postgres) {
        try (var connection = postgres.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(
                        "select (select count(*) from job_queue) + (select count(*) from child_note)"
                                + " + (select count(*) from mutex where expires_at > now())"
                                + " + (select count(*) from bulk_operation where ended_at is null)")) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            return -1;
        }
    }

    private static void report(StormPlan plan, Verdict.Result verdict) {
        Map<Breach, Long> breaches = new TreeMap<>(
                verdict.findings().stream().collect(Collectors.groupingBy(Finding::breach, Collectors.counting())));
        System.out.println("StormTest: seed " + plan.seed() + ", looked at " + verdict.summary() + "; found "
                + (breaches.isEmpty() ? "nothing" : breaches));
        List<Finding> findings = verdict.findings();
        findings.stream().limit(FINDINGS_SHOWN_MAX).forEach(finding -> System.out.println("  " + finding));
    }

    private static <E extends Enum<E>> Set<E> leftOut(Class<E> type) {
        List<String> names = List.of(System.getProperty(WITHOUT, "").split(",", -1));
        return EnumSet.allOf(type).stream()
                .filter(each -> names.contains(each.name()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(type)));
    }
}
