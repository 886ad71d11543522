package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.ServiceProcess;
import dev.millrace.proto.access.v1.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attack 32: callers let the worker and the scheduler connect to a service of their machine, by whatever connects for others. */
final class AddressAttackTest {
    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static ServiceProcess worker;
    private static Door door;
    private static Api developer;
    private static Api runner;

    /** A service of the machine that counts who connects, and hangs up. */
    private static final class Door implements AutoCloseable {
        private final ServerSocket socket;
        private final AtomicInteger visits = new AtomicInteger();

        Door() throws IOException {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(() -> {
                while (!socket.isClosed()) {
                    try {
                        socket.accept().close();
                        visits.incrementAndGet();
                    } catch (IOException closed) {
                        // The test is over, or the visitor was quicker.
                    }
                }
            });
        }

        int port() {
            return socket.getLocalPort();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    @BeforeAll
    static void start() throws IOException {
        installation = GuardedInstallation.start("attack-addresses", folder);
        Path token = Files.writeString(folder.resolve("worker-token"), installation.sharedWorker());
        worker = installation
                .cluster()
                .startWorker("worker-addresses", 0, Map.of("millrace.worker.token-file", token.toString()));
        door = new Door();
        developer = person(Role.ROLE_DEVELOPER);
        runner = person(Role.ROLE_RUNNER);
        developer.deployScript("x/open.sql", "select 1 as n");
        developer.deployScript("x/open.my.sql", "select 1 as n");
        flow("http", "{id: a, handler: millrace.http, input: {url: '${{ inputs.address }}'}}");
        flow(
                "kafka",
                "{id: a, handler: millrace.kafka, input: {bootstrap_servers: '${{ inputs.address }}', topic: t}}");
        flow("bound", "{id: a, script: x/open.sql, input: {database: '${{ resources.x.db }}'}}");
        developer
                .put("/api/v1/resources/x/db", Map.of("value", database("localhost")))
                .ok();
    }

    @AfterAll
    static void stop() {
        door.close();
        worker.close();
        installation.close();
    }

    static Stream<Map<String, Object>> requests() {
        String address = "127.0.0.1:" + door.port();
        return Stream.of("127.0.0.1", "localhost", "::1", "0.0.0.0")
                .flatMap(host -> Stream.of("open.sql", "open.my.sql")
                        .map(file -> request("script", file, Map.of("database", database(host)))))
                .mapMulti((request, all) -> {
                    all.accept(request);
                    if (request.toString().contains("127.0.0.1")) {
                        all.accept(request("flow", "http", Map.of("address", "http://" + address + "/")));
                        all.accept(request("flow", "kafka", Map.of("address", address)));
                    }
                });
    }

    @ParameterizedTest
    @MethodSource("requests")
    void noInputLetsTheWorkerConnectToItsMachine(Map<String, Object> request) {
        int before = door.visits.get();

        for (Api caller : List.of(runner, developer)) {
            JsonNode ended = caller.runToEnd(request);

            assertThat(ended.path("error").path("name").asText())
                    .as("%s", ended)
                    .isEqualTo("AddressNotAllowed");
        }
        assertThat(door.visits.get()).isEqualTo(before);
    }

    @Test
    void aResourceMayNameADatabaseOfTheMachine() {
        int before = door.visits.get();

        JsonNode ended = runner.runToEnd(request("flow", "bound", Map.of()));

        assertThat(ended.path("error").path("name").asText()).as("%s", ended).isEqualTo("ConnectionError");
        assertThat(door.visits.get()).isGreaterThan(before);
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void noAlertGoesToTheMachineOfTheScheduler(String host) {
        Api admin = new Api(installation.cluster().gatewayUrl(), installation.user("default", "", Role.ROLE_ADMIN));
        String url = "http://" + host + ":" + door.port() + "/";

        for (String channel : List.of("webhook", "slack")) {
            var answer =
                    admin.put("/api/v1/alerts/x", Map.of("types", List.of("run.failed"), channel, Map.of("url", url)));

            assertThat(answer.status()).as(answer.body().toString()).isEqualTo(400);
            assertThat(answer.body().toString()).contains("millrace.alert.allow-private");
        }
    }

    static List<String> hosts() {
        return List.of("127.0.0.1", "localhost", "[::1]", "169.254.169.254");
    }

    private static Api person(Role role) {
        return new Api(installation.cluster().gatewayUrl(), installation.user("default", "x", role));
    }

    private static void flow(String name, String step) {
        developer.deployFlow(
                "millrace: v1\nname: x/" + name + "\ninputs: {address: {type: string, default: ''}}\nsteps: [" + step
                        + "]\n",
                Map.of());
    }

    private static Map<String, Object> database(String host) {
        return Map.of(
                "host", host, "port", door.port(), "user", "postgres", "dbname", "postgres", "sslmode", "disable");
    }

    private static Map<String, Object> request(String kind, String name, Map<String, Object> input) {
        return Map.of("target", Map.of(kind, "x/" + name), "input", input);
    }
}
