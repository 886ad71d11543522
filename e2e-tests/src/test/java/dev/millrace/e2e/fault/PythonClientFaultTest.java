package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import dev.millrace.harness.TcpProxy;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Python client whose submissions lose their answers starts each run once. */
final class PythonClientFaultTest {
    private static final int ROUNDS = 5;
    private static final String PROGRAM = "e2e-tests/src/test/python/submit_many.py";

    private Postgres postgres;
    private Cluster cluster;
    private TcpProxy wire;
    private PythonProgram client;
    private int submitted;

    @BeforeEach
    void start() {
        postgres = Postgres.start();
        cluster = Cluster.start(
                "python-client-fault", postgres, ClusterPlan.fast().withWorkers());
        wire = TcpProxy.to(cluster.schedulerPort(0));
        client = PythonProgram.start(Map.of("MILLRACE_SCHEDULER_TARGET", "localhost:" + wire.port()), PROGRAM);
    }

    @AfterEach
    void stop() {
        client.close();
        wire.close();
        cluster.close();
        postgres.close();
    }

    @Test
    void startsEachRunOnce() {
        submit();
        awaitAnswer();
        for (int round = 0; round < ROUNDS; round++) {
            loseTheAnswer(() -> {});
            submit();
            awaitAnswer();
        }
        loseTheAnswer(() -> cluster.scheduler(0).kill());
        assertThat(cluster.scheduler(0).isAlive()).isTrue();

        assertThat(count("count(*)")).isEqualTo(submitted);
        assertThat(count("count(distinct input::text)")).isEqualTo(submitted);
    }

    /** Drops the answer to a submission. Once the run is accepted, strikes, and resets the connection. */
    private void loseTheAnswer(Runnable strike) {
        wire.set(TcpProxy.Direction.TO_CLIENT, TcpProxy.Flow.DROP);
        submit();
        Await.until("the run is accepted", Api.PATIENCE, () -> count("count(*)") >= submitted);
        strike.run();
        wire.set(TcpProxy.Direction.TO_CLIENT, TcpProxy.Flow.PASS);
        wire.reset();
        if (!cluster.scheduler(0).isAlive()) {
            cluster.scheduler(0).start();
        }
        awaitAnswer();
    }

    private void submit() {
        submitted++;
        client.writeLine(Integer.toString(submitted));
    }

    private void awaitAnswer() {
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
