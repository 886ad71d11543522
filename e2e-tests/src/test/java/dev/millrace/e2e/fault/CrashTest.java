package dev.millrace.e2e.fault;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Seed;
import dev.millrace.harness.EmbeddedServer;
import dev.millrace.harness.ServiceProcess;
import java.sql.SQLException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * Kills each part with SIGKILL at a random time during a word count, which must end with the right result and each step
 * recorded once.
 */
final class CrashTest {
    private static final int TEXTS = 16;
    private static final RandomGenerator RANDOM = Seed.random("CrashTest");

    private static EmbeddedServer server;
    private static Installation installation;

    @BeforeAll
    static void start() {
        server = EmbeddedServer.start();
        installation = Installation.start("crash", server.createDatabase(), FaultPlans.SHORT_LEASES);
        WordCount.deploy(installation.api());
    }

    @AfterAll
    static void stop() {
        installation.close();
        server.close();
    }

    @RepeatedTest(2)
    void survivesTheDeathOfTheWorker() throws SQLException {
        survives(() -> restart(installation.cluster().worker(0)));
    }

    @RepeatedTest(2)
    void survivesTheDeathOfTheScheduler() throws SQLException {
        survives(() -> restart(installation.cluster().scheduler(0)));
    }

    @Test
    void survivesTheDeathOfTheSchedulerAndTheWorkerAtOnce() throws SQLException {
        survives(() -> {
            installation.cluster().scheduler(0).kill();
            restart(installation.cluster().worker(0));
            installation.cluster().scheduler(0).start();
        });
    }

    @RepeatedTest(2)
    void survivesTheDeathOfPostgres() throws SQLException {
        survives(() -> {
            server.kill();
            server.restart();
        });
    }

    @Test
    void survivesTheDeathOfTheGateway() throws SQLException {
        survives(() -> restart(installation.cluster().gateway()));
    }

    private static void survives(Runnable strike) throws SQLException {
        Api api = installation.api();
        var wordCount = WordCount.random(RANDOM, TEXTS);
        int finishedSteps = 1 + RANDOM.nextInt(TEXTS);

        String runId = wordCount.submit(api);
        try (EventStream events = api.followRun(runId)) {
            events.awaitNth(finishedSteps, "a step has succeeded", Api.PATIENCE, CrashTest::isFinishedStep);
        }
        strike.run();

        api.awaitReady();
        wordCount.assertRecordedOnce(api, installation.postgres(), runId);
    }

    static boolean isFinishedStep(EventStream.Event event) {
        return event.type().equals("step")
                && event.data().path("state").asText().equals("succeeded");
    }

    private static void restart(ServiceProcess process) {
        process.kill();
        process.start();
    }
}
