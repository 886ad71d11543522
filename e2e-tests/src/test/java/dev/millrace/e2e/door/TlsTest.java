package dev.millrace.e2e.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.PythonProgram;
import dev.millrace.e2e.support.TaskJar;
import dev.millrace.harness.Await;
import dev.millrace.harness.Cluster;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.MillraceHome;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that other machines may reach: they want TLS and tokens, and refuse to start without. */
final class TlsTest {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int USAGE = 2;
    private static final String NO_TOKEN_YET = "mrw_nothing";

    private final MillraceHome home = MillraceHome.find();
    private final Path folder;

    TlsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Tag("nightly")
    @Test
    void aRunGoesThroughAllServicesOverTlsWithTokens() throws Exception {
        assertThat(millrace(Map.of(), "certs", "dev", "--out", folder.toString()).exitCode)
                .isZero();
        Path ownerToken = folder.resolve("owner-token");
        Path serverTask = Files.writeString(folder.resolve("slug.yaml"), """
                millrace: v1
                name: slug
                steps:
                  - {id: slug, handler: server.slug, input: {text: Hello World}}
                """);
        Path workerToken = Files.writeString(folder.resolve("worker-token"), NO_TOKEN_YET);
        ClusterPlan plan = ClusterPlan.small()
                .with("millrace.grpc.host", "0.0.0.0")
                .with("millrace.grpc.tls.certificate", file("server.pem"))
                .with("millrace.grpc.tls.key", file("server.key"))
                .with("millrace.grpc.tls.client-ca", file("ca.pem"))
                .with("millrace.access.owner-token-file", ownerToken.toString())
                .with("millrace.http.host", "0.0.0.0")
                .with("millrace.http.tls.certificate", file("server.pem"))
                .with("millrace.http.tls.key", file("server.key"))
                .with("millrace.scheduler.tls.ca", file("ca.pem"))
                .with("millrace.scheduler.tls.certificate", file("client.pem"))
                .with("millrace.scheduler.tls.key", file("client.key"))
                .with("millrace.worker.token-file", workerToken.toString())
                .with(Installation.TASK_FOLDER, TaskJar.build().toString());
        try (Postgres postgres = Postgres.start();
                Cluster cluster = Cluster.start("tls", postgres, plan)) {
            Await.until("there is an owner", START_LIMIT, () -> Files.exists(ownerToken) && size(ownerToken) > 0);
            Map<String, String> client = Map.of(
                    "MILLRACE_SERVER",
                            "https://localhost:" + cluster.gatewayUrl().getPort(),
                    "MILLRACE_CA_FILE", file("ca.pem"),
                    "MILLRACE_TOKEN", Files.readString(ownerToken).strip());
            Await.until(
                    "the scheduler has refused the worker",
                    START_LIMIT,
                    () -> cluster.worker(0).output().contains("UNAUTHENTICATED"));

            // The scheduler runs it without a worker, although no worker or task has got a token or a certificate.
            Outcome task = millrace(client, "run", serverTask.toString());
            assertThat(task.output).contains("hello-world");
            assertThat(task.exitCode).isZero();

            issueWorkerToken(client, workerToken);
            Outcome run = millrace(client, "run", "examples/hello/hello.py", "-i", "name=Ada");

            assertThat(run.output).contains("Hello, Ada.");
            assertThat(run.exitCode).isZero();
            assertThat(cluster.worker(0).output()).contains("The token of this worker has changed");

            assertThat(runOwnProcess(cluster.schedulerAddress(0), ownerToken, workerToken))
                    .contains("parcel 17");
        }
    }

    /** Runs the example with a worker and a caller of its own, which show certificates and tokens, too. */
    private String runOwnProcess(String scheduler, Path callerToken, Path workerToken) {
        Map<String, String> variables = Map.of(
                "MILLRACE_SCHEDULER_TARGET", scheduler,
                "MILLRACE_SCHEDULER_TLS_CA", file("ca.pem"),
                "MILLRACE_SCHEDULER_TLS_CERTIFICATE", file("client.pem"),
                "MILLRACE_SCHEDULER_TLS_KEY", file("client.key"),
                "MILLRACE_TOKEN_FILE", callerToken.toString(),
                "MILLRACE_WORKER_TOKEN_FILE", workerToken.toString());
        try (PythonProgram _ = PythonProgram.start(variables, "examples/own-process/worker.py")) {
            return PythonProgram.run(variables, "examples/own-process/start.py");
        }
    }

    @Test
    void servicesRefusePlainTextBeyondTheMachine() {
        Outcome server = millrace(Map.of(), "server", "--grpc-host", "0.0.0.0");
        Outcome gateway = millrace(Map.of(), "gateway", "--http-host", "0.0.0.0");
        Outcome toScheduler = millrace(Map.of(), "gateway", "--scheduler", "scheduler.example:8401");
        Outcome worker = millrace(
                Map.of("MILLRACE_WORKER_TOKEN", NO_TOKEN_YET), "worker", "--scheduler", "scheduler.example:8401");

        assertThat(List.of(server.exitCode, gateway.exitCode, toScheduler.exitCode, worker.exitCode))
                .containsOnly(USAGE);
        assertThat(server.output).contains("The scheduler would listen on 0.0.0.0 without TLS");
        assertThat(gateway.output).contains("The gateway would listen on 0.0.0.0 without TLS");
        assertThat(toScheduler.output).contains("would carry the tokens of callers in plain text");
        assertThat(worker.output).contains("would carry the token of this worker in plain text");
        assertThat(worker.output).doesNotContain(NO_TOKEN_YET);
    }

    /** Replaces the token in the file, once the gateway serves. */
    private void issueWorkerToken(Map<String, String> client, Path file) {
        var answer = new AtomicReference<>("nothing");
        Await.until(
                "there is a token for the worker",
                START_LIMIT,
                () -> {
                    Outcome made = millrace(
                            client, "tokens", "create", "--worker", "--name", "rack 7", "--out", file.toString());
                    answer.set(made.output);
                    return made.exitCode == 0;
                },
                answer::get);
    }

    private Outcome millrace(Map<String, String> environment, String... arguments) {
        var builder = new ProcessBuilder(home.command(List.of("-Xmx256m"), List.of(arguments)))
                .directory(home.path().toFile())
                .redirectErrorStream(true);
        var variables = new HashMap<>(environment);
        variables.put("MILLRACE_HOME", home.path().toString());
        builder.environment().keySet().removeIf(name -> name.startsWith("MILLRACE_"));
        builder.environment().putAll(variables);
        try {
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The command was interrupted.", interrupted);
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private static long size(Path file) {
        return file.toFile().length();
    }

    private record Outcome(int exitCode, String output) {}
}
