package dev.millrace.bench.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.harness.Postgres;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures other systems on a server and adds their figures to ours. A system that cannot be installed or does not work
 * is skipped with a message.
 */
public final class Peers {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Limits for systems that run at most a few thousand jobs a second: fewer jobs tell as much. */
    private static final int DB_SCHEDULER_JOBS_MAX = 20_000;

    private static final int JOBRUNR_JOBS_MAX = 5_000;

    private final DatabaseServer server;
    private final Consumer<String> progress;

    public Peers(DatabaseServer server, Consumer<String> progress) {
        this.server = server;
        this.progress = progress;
    }

    /** Queues no-op jobs and runs them. */
    public void addBurn(Figures figures, int jobs, double oursPerSecond) {
        for (String mode : List.of("default", "tuned")) {
            add(figures, Peer.graphileWorker(mode), jobs, List.of("burn.js", mode, Integer.toString(jobs)));
        }
        addJava(figures, Peer.dbScheduler(), Math.min(jobs, DB_SCHEDULER_JOBS_MAX));
        addJava(figures, Peer.jobRunr(), Math.min(jobs, JOBRUNR_JOBS_MAX));
        figures.find("graphile_worker_tuned_jobs_per_second")
                .ifPresent(tuned -> figures.add("ratio_to_graphile_worker_tuned", oursPerSecond / tuned));
    }

    /** Adds jobs at a fixed rate. */
    public void addLatency(Figures figures, int jobs, int perSecond) {
        for (String mode : List.of("default", "tuned")) {
            add(
                    figures,
                    Peer.graphileWorker(mode),
                    jobs,
                    List.of("latency.js", mode, Integer.toString(jobs), Integer.toString(perSecond)));
        }
    }

    private void add(Figures figures, Peer peer, int jobs, List<String> arguments) {
        try (Postgres database = server.createDatabase()) {
            measure(figures, peer, database, jobs, arguments);
        }
    }

    private void addJava(Figures figures, Peer peer, int jobs) {
        try (Postgres database = server.createDatabase()) {
            measure(figures, peer, database, jobs, List.of(database.jdbcUrl(), Integer.toString(jobs)));
        }
    }

    private void measure(Figures figures, Peer peer, Postgres database, int jobs, List<String> arguments) {
        progress.accept(figures.workload() + ": " + peer.name());
        try {
            peer.install();
            JsonNode answer = JSON.readTree(peer.run(database, arguments));
            Check.equal(
                    "the number of calls that " + peer.name() + " made",
                    jobs,
                    answer.path("calls").asInt());
            answer.properties().stream()
                    .filter(figure -> !figure.getKey().equals("calls"))
                    .forEach(figure -> figures.add(
                            peer.name() + "_" + figure.getKey(),
                            figure.getValue().asDouble()));
            figures.note(peer.name() + "_keeps", peer.keeps());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while measuring " + peer.name() + ".", e);
        } catch (Exception e) {
            progress.accept(peer.name() + " is skipped: " + e.getMessage());
            figures.note(peer.name() + "_skipped", String.valueOf(e.getMessage()));
        }
    }
}
