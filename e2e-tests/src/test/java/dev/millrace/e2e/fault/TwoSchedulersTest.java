package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Two schedulers on one database, with a worker on each. */
@TestMethodOrder(OrderAnnotation.class)
@Tag("nightly")
final class TwoSchedulersTest {
    private static final int RUNS = 4;
    /** Each run has three jobs at once, and a worker has room for ten: two slots, and eight jobs that wait for them. */
    private static final int RUNS_TOO_MANY_FOR_ONE_WORKER = 6;

    private static final int TEXTS = 12;
    private static final RandomGenerator RANDOM = Seed.random("TwoSchedulersTest");

    private static Installation installation;

    @BeforeAll
    static void start() {
        installation = Installation.start(
                "two-schedulers", FaultPlans.SHORT_LEASES.withSchedulers(2).withWorkers(0, 1));
        WordCount.deploy(installation.api());
    }

    @AfterAll
    static void stop() {
        installation.close();
    }

    @Test
    @Order(1)
    void shareTheWork() throws SQLException {
        var workers = new ArrayList<String>();
        List<Submitted> runs = Stream.generate(() -> submit(WordCount.unlimited(RANDOM, TEXTS)))
                .limit(RUNS_TOO_MANY_FOR_ONE_WORKER)
                .toList();
        for (Submitted run : runs) {
            run.wordCount.assertRecordedOnce(installation.api(), installation.postgres(), run.id);
            installation
                    .api()
                    .steps(run.id)
                    .forEach(step -> workers.add(step.path("worker").asText()));
        }
        assertThat(workers).contains("worker-0", "worker-1");
    }

    @Test
    @Order(2)
    void stopInGoodOrderWithoutLosingOrRepeatingAStep() throws SQLException {
        List<Submitted> runs = submitAll();
        awaitFinishedSteps(runs.getFirst(), 1 + RANDOM.nextInt(TEXTS / 2));

        int exitCode = installation.cluster().scheduler(1).terminate();
        installation.cluster().scheduler(1).start();

        assertThat(exitCode).as("exit code").isZero();
        for (Submitted run : runs) {
            run.wordCount.assertRecordedOnce(installation.api(), installation.postgres(), run.id);
            assertThat(installation.api().steps(run.id))
                    .allSatisfy(step -> assertThat(step.path("attempt").asInt())
                            .as("attempt of %s", step.path("key"))
                            .isLessThanOrEqualTo(1));
        }
    }

    @Test
    @Order(3)
    void surviveTheDeathOfOne() throws SQLException {
        List<Submitted> runs = submitAll();
        awaitFinishedSteps(runs.getFirst(), 1 + RANDOM.nextInt(TEXTS / 2));

        installation.cluster().scheduler(1).kill();

        for (Submitted run : runs) {
            run.wordCount.assertRecordedOnce(installation.api(), installation.postgres(), run.id);
        }
    }

    private record Submitted(WordCount wordCount, String id) {}

    private static List<Submitted> submitAll() {
        var runs = new ArrayList<Submitted>();
        for (int i = 0; i < RUNS; i++) {
            runs.add(submit(WordCount.random(RANDOM, TEXTS)));
        }
        return runs;
    }

    private static Submitted submit(WordCount wordCount) {
        return new Submitted(wordCount, wordCount.submit(installation.api()));
    }

    private static void awaitFinishedSteps(Submitted run, int count) {
        try (EventStream events = installation.api().followRun(run.id)) {
            events.awaitNth(count, "a step has succeeded", Api.PATIENCE, CrashTest::isFinishedStep);
        }
    }
}
