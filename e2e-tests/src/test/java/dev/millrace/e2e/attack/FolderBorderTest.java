package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.ServiceProcess;
import dev.millrace.proto.access.v1.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Walks the list of all that a caller names or a hash finds, and reaches for it from another folder and another
 * workspace. {@code roles.md} has the same list; whatever is added there belongs here, too.
 */
final class FolderBorderTest {
    private static final String WORKSPACE = "borders";
    private static final String OTHER_WORKSPACE = "abroad";

    /** Returns what earlier jobs have left, and leaves a mark. */
    private static final String PROBE_PY = """
            import os

            _marks = []

            def main(mark: str):
                note = os.path.join(os.environ["HOME"], "marks")
                kept = open(note).read().split() if os.path.exists(note) else []
                with open(note, "a") as file:
                    file.write(mark + "\\n")
                _marks.append(mark)
                return {"process": _marks[:-1], "home": kept}
            """;

    private static final String PROBE_TS = """
            const marks: string[] = [];
            export async function main(mark: string) {
              const stored = (localStorage.getItem("marks") ?? "").split(" ");
              localStorage.setItem("marks", [...stored, mark].join(" "));
              const cache = await caches.open("marks");
              const cached = await (await cache.match("http://marks/"))?.text() ?? "";
              await cache.put("http://marks/", new Response(cached + " " + mark));
              marks.push(mark);
              return { process: marks.slice(0, -1), storage: stored, caches: cached.split(" ") };
            }
            """;

    private static final String ECHO = """
            def main(mark: str):
                return mark
            """;

    private static final String LOCK = """
            import os, time
            import millrace

            def main(key: str, arrivals: str, opened: str):
                try:
                    with millrace.current().lock(key, ttl=3600, wait=0):
                        with open(arrivals, "a") as file:
                            file.write(f"{os.getpid()}\\n")
                        while not os.path.exists(opened):
                            time.sleep(0.01)
                        return "locked"
                except millrace.LockTimeout:
                    return "busy"
            """;

    private static final String READS = """
            import millrace

            def main():
                return millrace.current().secrets.get("y/salary")[::-1]
            """;

    private static final Map<String, String> FLOWS = Map.of(
            "reads",
            "steps: [{id: a, script: %1$s/reads.py, cache: {ttl: 1h}}]",
            "hands_on",
            "steps: [{id: r, script: %1$s/reads.py}, {id: a, script: %1$s/echo.py, input: {mark: '${{ steps.r.result }}'}, cache: {ttl: 1h, key: '${{ inputs.key }}'}}]",
            "shares",
            SharedFolder.FLOW,
            "cached_step",
            "steps: [{id: a, script: %1$s/echo.py, input: {mark: '${{ inputs.mark }}'}, cache: {ttl: 1h, key: '${{ inputs.key }}'}}]",
            "cached_run",
            "cache: {ttl: 1h, key: '${{ inputs.key }}'}\nsteps: [{id: a, script: %1$s/echo.py, input: {mark: '${{ inputs.mark }}'}}]",
            "limited",
            "steps: [{id: a, script: %1$s/echo.py, input: {mark: '${{ inputs.mark }}'}, limit: {key: '${{ inputs.key }}', rate: {count: 1, per: 30d}}}]");

    @TempDir
    private static Path folder;

    private static GuardedInstallation installation;
    private static ServiceProcess worker;
    private static Person ann;
    private static Person colleague;
    private static List<Person> others;

    /** Whether what one person has left is found by another. */
    @FunctionalInterface
    private interface Trial {
        boolean isReached(Person leaves, Person finds, String key) throws Exception;
    }

    private record Border(String name, Trial trial) {}

    private static final List<Border> BORDERS = List.of(
            new Border("process of Python", (leaves, finds, key) -> isLeft(leaves, finds, "probe.py", "process", key)),
            new Border("HOME of Python", (leaves, finds, key) -> isLeft(leaves, finds, "probe.py", "home", key)),
            new Border("process of Deno", (leaves, finds, key) -> isLeft(leaves, finds, "probe.ts", "process", key)),
            new Border("localStorage", (leaves, finds, key) -> isLeft(leaves, finds, "probe.ts", "storage", key)),
            new Border("caches of Deno", (leaves, finds, key) -> isLeft(leaves, finds, "probe.ts", "caches", key)),
            new Border("shared folder, from Deno", FolderBorderTest::isShared),
            new Border("cached result of a step", (leaves, finds, key) -> isCached(leaves, finds, "cached_step", key)),
            new Border("cached result of a run", (leaves, finds, key) -> isCached(leaves, finds, "cached_run", key)),
            new Border("key of a limit", FolderBorderTest::isLimited),
            new Border("name of a mutex", FolderBorderTest::isLocked),
            new Border("idempotency key", FolderBorderTest::isRepetition));

    @BeforeAll
    static void start() throws IOException {
        installation = GuardedInstallation.start("attack-folders", folder);
        installation.workspace(WORKSPACE);
        installation.workspace(OTHER_WORKSPACE);
        Path token = Files.writeString(folder.resolve("worker-token"), installation.sharedWorker());
        worker = installation
                .cluster()
                .startWorker("worker-folders", 0, Map.of("millrace.worker.token-file", token.toString()));
        ann = person("ann", WORKSPACE, "y", Role.ROLE_DEVELOPER);
        colleague = person("colleague", WORKSPACE, "y", Role.ROLE_RUNNER);
        Person neighbor = person("neighbor", WORKSPACE, "x", Role.ROLE_DEVELOPER);
        Person stranger = person("stranger", OTHER_WORKSPACE, "y", Role.ROLE_DEVELOPER);
        others = List.of(neighbor, person("runner", WORKSPACE, "x", Role.ROLE_RUNNER), stranger);
        for (Person developer : List.of(ann, neighbor, stranger)) {
            deploy(developer);
        }
    }

    @AfterAll
    static void stop() {
        worker.close();
        installation.close();
    }

    @TestFactory
    Stream<DynamicTest> keepsWhatIsLeft() {
        return BORDERS.stream()
                .map(border -> DynamicTest.dynamicTest(border.name(), () -> {
                    for (Person other : others) {
                        assertThat(border.trial().isReached(ann, other, key()))
                                .as("%s of folder y is reached by %s", border.name(), other.name())
                                .isFalse();
                    }
                    assertThat(border.trial().isReached(ann, colleague, key()))
                            .as("%s of folder y is reached by a colleague", border.name())
                            .isTrue();
                }));
    }

    /** Another flow of the folder asks for what the step has cached that got the secret as its input. */
    @Test
    void noLaterStepThatFollowsFromASecretIsCached() {
        ann.api()
                .put("/api/v1/workspaces/" + WORKSPACE + "/secrets/y/salary", Map.of("value", "salary-of-ann"))
                .ok();
        String key = key();

        assertThat(ann.runToEnd("flow", "hands_on", Map.of("key", key, "mark", "-"))
                        .asText())
                .isEqualTo("nna-fo-yralas");
        assertThat(colleague
                        .runToEnd("flow", "cached_step", Map.of("key", key, "mark", "own"))
                        .asText())
                .isEqualTo("own");
    }

    /** The colleague, a runner, may not read the secret, so neither may the cache tell what a developer's job made of it. */
    @Test
    void noResultOfWhatADeveloperReadIsCachedForARunner() {
        ann.api()
                .put("/api/v1/workspaces/" + WORKSPACE + "/secrets/y/salary", Map.of("value", "salary-of-ann"))
                .ok();

        Map<String, Object> input = Map.of("key", "-", "mark", "-");
        assertThat(ann.runToEnd("flow", "reads", input).asText()).isEqualTo("nna-fo-yralas");
        JsonNode refused = colleague.awaitEnd(colleague.submit("flow", "reads", input));
        assertThat(refused.path("state").asText()).as("%s", refused).isEqualTo("failed");
    }

    private static boolean isShared(Person leaves, Person finds, String key) {
        try (SharedFolder shared = SharedFolder.of(leaves, key)) {
            return finds.runToEnd("script", SharedFolder.FIND_TS, shared.input())
                    .path("read")
                    .asText()
                    .equals(key);
        }
    }

    private static boolean isLeft(Person leaves, Person finds, String script, String place, String key) {
        leaves.runToEnd("script", script, Map.of("mark", key));
        return Json.of(finds.runToEnd("script", script, Map.of("mark", "another"))
                        .path(place))
                .toString()
                .contains(key);
    }

    private static boolean isCached(Person leaves, Person finds, String flow, String key) {
        leaves.runToEnd("flow", flow, Map.of("key", key, "mark", "left"));
        return finds.runToEnd("flow", flow, Map.of("key", key, "mark", "own"))
                .asText()
                .equals("left");
    }

    private static boolean isLimited(Person leaves, Person finds, String key) {
        leaves.runToEnd("flow", "limited", Map.of("key", key, "mark", "left"));
        JsonNode run = finds.submit("flow", "limited", Map.of("key", key, "mark", "own"));
        // A later run has ended, so that this one waits for its limit if it has not.
        finds.runToEnd("flow", "limited", Map.of("key", key + "-other", "mark", "later"));
        return !finds.run(run).path("state").asText().equals("succeeded");
    }

    private static boolean isLocked(Person leaves, Person finds, String key) throws IOException {
        Gate gate = new Gate(Files.createDirectory(folder.resolve(key)));
        Gate open = new Gate(Files.createDirectory(folder.resolve(key + "-open")));
        open.open();
        JsonNode holder = leaves.submit("script", "lock.py", lockInput(key, gate));
        gate.awaitArrivals(1);
        try {
            return finds.runToEnd("script", "lock.py", lockInput(key, open))
                    .asText()
                    .equals("busy");
        } finally {
            gate.open();
            leaves.awaitEnd(holder);
        }
    }

    private static Map<String, Object> lockInput(String key, Gate gate) {
        Map<String, Object> input = new HashMap<>(gate.input());
        input.put("key", key);
        return input;
    }

    private static boolean isRepetition(Person leaves, Person finds, String key) {
        Map<String, Object> left =
                Map.of("target", leaves.target("script", "echo.py"), "input", Map.of("mark", "left"));
        Map<String, Object> own = Map.of("target", finds.target("script", "echo.py"), "input", Map.of("mark", "own"));
        leaves.post("/runs", left, "Idempotency-Key", key).ok();
        return finds.post("/runs", own, "Idempotency-Key", key).status() == 409;
    }

    private static Person person(String name, String workspace, String folder, Role role) {
        String token = installation.user(name, workspace, folder, role);
        return new Person(
                name, workspace, folder, new Api(installation.cluster().gatewayUrl(), token));
    }

    /** Gives each folder scripts and flows of the same text. */
    private static void deploy(Person developer) {
        Map.of("probe.py", PROBE_PY, "probe.ts", PROBE_TS, "echo.py", ECHO, "lock.py", LOCK, "reads.py", READS)
                .forEach(developer::deploy);
        SharedFolder.SCRIPTS.forEach(developer::deploy);
        FLOWS.forEach(developer::deployFlow);
    }

    private static String key() {
        return "key-" + UUID.randomUUID();
    }
}
