package dev.millrace.e2e.support;

import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.Postgres;
import java.util.Collections;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A running Millrace with its database and its API. */
public record Installation(Postgres postgres, Cluster cluster, Api api) implements AutoCloseable {
    /** Setting that makes schedulers run server tasks. */
    public static final String TASK_FOLDER = "millrace.scheduler.task-folder";

    /** Starts everything and waits until the workers are connected. */
    public static Installation start(String name, ClusterPlan plan) {
        return start(name, Postgres.start(), plan);
    }

    public static Installation start(String name, Postgres postgres, ClusterPlan plan) {
        Cluster cluster = Cluster.start(name, postgres, plan);
        var installation = new Installation(postgres, cluster, new Api(cluster.gatewayUrl()));
        try {
            installation.api.awaitReady();
            installation.api.awaitWorkers(workerNames(plan));
        } catch (AssertionError e) {
            installation.close();
            throw e;
        }
        return installation;
    }

    @Override
    public void close() {
        cluster.close();
        postgres.close();
    }

    private static String[] workerNames(ClusterPlan plan) {
        Stream<String> workers = IntStream.range(0, plan.workers().size()).mapToObj(i -> "worker-" + i);
        // A scheduler with server tasks is its own worker for them.
        Stream<String> own = plan.settings().containsKey(TASK_FOLDER)
                ? Collections.nCopies(plan.schedulers(), "server-tasks").stream()
                : Stream.of();
        return Stream.concat(workers, own).toArray(String[]::new);
    }
}
