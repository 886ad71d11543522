package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.MillraceHome;
import dev.millrace.harness.Postgres;
import dev.millrace.harness.TcpProxy;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A client of any language whose submissions lose their answers starts each run once. */
@Tag("nightly")
final class ClientFaultTest {
    private static final int ROUNDS = 2;
    private static final Path PROGRAMS = MillraceHome.find().path().resolve("e2e-tests/src/test");

    private Postgres postgres;
    private Cluster cluster;
    private TcpProxy wire;
    private int submitted;

    @BeforeEach
    void start() {
        postgres = Postgres.start();
        cluster = Cluster.start("client-fault", postgres, ClusterPlan.fast().withWorkers());
        wire = TcpProxy.to(cluster.schedulerPort(0));
    }

    @AfterEach
    void stop() {
        wire.close();
        cluster.close();
        postgres.close();
    }

    @Test
    void startsEachRunOnce() {
        String target = "localhost:" + wire.port();
        List<Supplier<PythonProgram>> clients = List.of(
                () -> PythonProgram.start(
                        Map.of("MILLRACE_SCHEDULER_TARGET", target), "e2e-tests/src/test/python/submit_many.py"),
                () -> PythonProgram.startNode(target, "submit_many.js"),
                () -> PythonProgram.startJava(
                        target,
                        PROGRAMS.resolve("programs-java/SubmitMany.java").toString()));
        for (Supplier<PythonProgram> start : clients) {
            try (PythonProgram client = start.get()) {
                startsEachRunOnce(client);
            }
        }
    }

    private void startsEachRunOnce(PythonProgram client) {
        submit(client);
        awaitAnswer(client);
        for (int round = 0; round < ROUNDS; round++) {
            loseTheAnswer(client, () -> {});
            submit(client);
            awaitAnswer(client);
        }
        loseTheAnswer(client, () -> cluster.scheduler(0).kill());
        assertThat(cluster.scheduler(0).isAlive()).isTrue();

        assertThat(count("count(*)")).isEqualTo(submitted);
        assertThat(count("count(distinct input::text)")).isEqualTo(submitted);
    }

    /** Drops the answer to a submission. Once the run is accepted, strikes, and resets the connection. */
    private void loseTheAnswer(PythonProgram client, Runnable strike) {
        wire.set(TcpProxy.Direction.TO_CLIENT, TcpProxy.Flow.DROP);
        submit(client);
        Await.until("the run is accepted", Api.PATIENCE, () -> count("count(*)") >= submitted);
        strike.run();
        wire.set(TcpProxy.Direction.TO_CLIENT, TcpProxy.Flow.PASS);
        wire.reset();
        if (!cluster.scheduler(0).isAlive()) {
            cluster.scheduler(0).start();
        }
        awaitAnswer(client);
    }

    private void submit(PythonProgram client) {
        submitted++;
        client.writeLine(Integer.toString(submitted));
    }

    private void awaitAnswer(PythonProgram client) {
        assertThat(client.awaitLine()).isEqualTo(Integer.toString(submitted));
    }

    private long count(String what) {
        try (var connection = postgres.connect();
                var statement = connection.createStatement();
                var found = statement.executeQuery("select " + what + " from job_queue")) {
            found.next();
            return found.getLong(1);
        } catch (SQLException e) {
            throw new AssertionError("The queue cannot be read.", e);
        }
    }
}
