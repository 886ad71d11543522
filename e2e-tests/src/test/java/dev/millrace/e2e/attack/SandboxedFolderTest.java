package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.harness.ServiceProcess;
import dev.millrace.proto.access.v1.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts in a sandbox look for what a worker keeps for other folders and workspaces: files that tasks of a group
 * share, and the packages, programs and private folders of other scripts, which they must not write either.
 */
@Tag("nightly")
final class SandboxedFolderTest {
    private static final String WORKSPACE = "walls";
    private static final String OTHER_WORKSPACE = "beyond";

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static ServiceProcess worker;
    private static Person ann;
    private static Person colleague;
    private static List<Person> others;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        assumeTrue(hasBubblewrap(), "bubblewrap works here");
        installation = GuardedInstallation.start("attack-walls", folder);
        installation.workspace(WORKSPACE);
        installation.workspace(OTHER_WORKSPACE);
        Path token = Files.writeString(folder.resolve("worker-token"), installation.sharedWorker());
        worker = installation
                .cluster()
                .startWorker(
                        "worker-walls",
                        0,
                        Map.of("millrace.worker.token-file", token.toString(), "millrace.worker.sandbox", "bwrap"));
        ann = person("ann", WORKSPACE, "y", Role.ROLE_DEVELOPER);
        colleague = person("colleague", WORKSPACE, "y", Role.ROLE_RUNNER);
        others = List.of(
                person("neighbor", WORKSPACE, "x", Role.ROLE_DEVELOPER),
                person("stranger", OTHER_WORKSPACE, "y", Role.ROLE_DEVELOPER));
        SharedFolder.SCRIPTS.forEach(ann::deploy);
        ann.deployFlow("shares", SharedFolder.FLOW);
        others.forEach(other -> SharedFolder.SCRIPTS.forEach(other::deploy));
    }

    @AfterAll
    static void stop() {
        if (worker != null) {
            worker.close();
            installation.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {SharedFolder.FIND_PY, SharedFolder.FIND_TS})
    void scriptsFindNothingOfAnotherFolder(String script) {
        try (SharedFolder shared = SharedFolder.of(ann, "of ann")) {
            for (Person other : others) {
                JsonNode found = other.runToEnd("script", script, shared.input());
                assertThat(found.path("read").asText())
                        .as("%s read", other.name())
                        .isEmpty();
                assertThat(texts(found.path("seen")))
                        .as("%s saw", other.name())
                        .noneMatch(name -> name.startsWith("shared/" + WORKSPACE + "/y"));
                assertThat(texts(found.path("written")))
                        .as("%s wrote", other.name())
                        .allMatch(name -> name.startsWith("home/") || name.startsWith("shared/"));
            }
            JsonNode found = colleague.runToEnd("script", script, shared.input());
            assertThat(found.path("read").asText()).as("%s", found).isEqualTo("of ann");
        }
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static boolean hasBubblewrap() throws InterruptedException {
        try {
            return new ProcessBuilder("bwrap", "--ro-bind", "/", "/", "--unshare-user", "true")
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private static Person person(String name, String workspace, String folder, Role role) {
        String token = installation.user(name, workspace, folder, role);
        return new Person(
                name, workspace, folder, new Api(installation.cluster().gatewayUrl(), token));
    }
}
