package dev.millrace.harness;

import java.nio.file.Files;
import java.nio.file.Path;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** Databases on one container, which all suites of this JVM share and which ends with the JVM. */
final class ContainerPostgres {
    private static final String IMAGE = "postgres:18";
    private static final Path SOCKET = Path.of("/var/run/docker.sock");

    private ContainerPostgres() {}

    static boolean engineAnswers() {
        // If there is no engine, asking for it takes seconds: check for a sign of one first.
        boolean worthAsking = System.getenv("DOCKER_HOST") != null || Files.exists(SOCKET);
        return worthAsking && DockerClientFactory.instance().isDockerAvailable();
    }

    static Postgres create() {
        return ServerDatabase.create(Shared.ADMIN_URL);
    }

    private static final class Shared {
        static final String ADMIN_URL = start();

        private static String start() {
            var container = new PostgreSQLContainer(IMAGE);
            container.start();
            return container.getJdbcUrl() + "&user=" + container.getUsername() + "&password=" + container.getPassword();
        }
    }
}
