package dev.millrace.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.worker.internal.limit.ControlGroups;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Skipped where this process may make no control groups. Limits of the number of tasks and of memory hold where the
 * system lets cgroup v2 control them; that groups end at once, everywhere.
 */
final class ControlGroupsTest {
    private static final String TELLS_ITS_GROUP = """
            import subprocess
            OWN = open("/proc/self/cgroup").read()
            def main(n: int = 0):
                child = subprocess.run(["cat", "/proc/self/cgroup"], capture_output=True, text=True).stdout
                assert child == OWN
                return next(line[3:] for line in OWN.splitlines() if line.startswith("0::"))
            """;

    private static final String TELLS_ITS_ID = "export const main = () => Deno.pid;";

    /** Forks also while it loads, and each child leaves the group of processes. */
    private static final String BOMB = """
            # millrace: processes=20
            import os
            while True:
                if os.fork() == 0:
                    os.setsid()
            def main():
                return 1
            """;

    private static final String ASKS_FOR_TASKS = """
            # millrace: processes=1
            import threading
            def main():
                go_on, threads = threading.Event(), []
                try:
                    for _ in range(100):
                        threads.append(threading.Thread(target=go_on.wait))
                        threads[-1].start()
                except RuntimeError:
                    return len(threads) < 34
                finally:
                    go_on.set()
            """;

    /** Maps memory in one piece less than its limit, and shares it with a child that has as much again. */
    private static final String HOG = """
            # millrace: memory=64MiB
            import os
            def main():
                kept = bytearray(40 << 20)
                os.fork()
                more = bytearray(b"1") * (40 << 20)
                return len(kept) + len(more)
            """;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path folder;

    private static Optional<ControlGroups> own = Optional.empty();

    @BeforeAll
    static void needsControlGroups() {
        own = ControlGroups.of(ControlGroupChoice.AUTO);
        assumeTrue(own.isPresent(), "control groups work here");
        own.ifPresent(ControlGroups::close);
    }

    @Test
    void eachProcessHasItsGroupWithAllThatItStarts() throws Exception {
        String first;
        try (ScriptWorkerFixture fixture = grouped()) {
            first = fixture.result(fixture.scheduler.addScript("first.py", TELLS_ITS_GROUP), "{}");
            String second = fixture.result(fixture.scheduler.addScript("second.py", TELLS_ITS_GROUP + "# other"), "{}");
            assertThat(first).contains("/millrace-").isNotEqualTo(second);
            String pid = fixture.result(fixture.scheduler.addScript("third.ts", TELLS_ITS_ID), "{}");
            assertThat(Path.of("/proc", pid, "cgroup"))
                    .content()
                    .contains("/millrace-")
                    .doesNotContain(first);
        }
        Path group = tree().resolve(first.replaceAll(".*/(millrace-.*)\"", "$1"));
        assertThat(group).doesNotExist();
        assertThat(group.getParent()).doesNotExist();
    }

    @Test
    void aBombEndsWithAllThatItHasStarted() throws Exception {
        try (ScriptWorkerFixture fixture = grouped()) {
            JobResult result = fixture.run(fixture.scheduler.addScript("bomb.py", BOMB), "{}");
            assertThat(result.getError().getName()).isEqualTo("LimitExceeded");
            assertThat(fixture.result(fixture.scheduler.addScript("next.py", TELLS_ITS_GROUP), "{}"))
                    .contains("/millrace-");
        }
    }

    @Test
    void theSystemRefusesMoreTasks() throws Exception {
        assumeTrue(isControlled("pids"), "the system lets cgroup v2 control the number of tasks");
        try (ScriptWorkerFixture fixture = grouped()) {
            assertThat(fixture.result(fixture.scheduler.addScript("tasks.py", ASKS_FOR_TASKS), "{}"))
                    .isEqualTo("true");
        }
    }

    @Test
    void theSystemEndsWhoTakesTooMuchMemory() throws Exception {
        assumeTrue(isControlled("memory"), "the system lets cgroup v2 control memory");
        try (ScriptWorkerFixture fixture = grouped()) {
            JobResult result = fixture.run(fixture.scheduler.addScript("hog.py", HOG), "{}");
            assertThat(result.getError().getName()).isEqualTo("LimitExceeded");
            assertThat(result.getError().getMessage()).contains("more than its limit `memory` of 64 MiB");
        }
    }

    private ScriptWorkerFixture grouped() throws InterruptedException {
        return new ScriptWorkerFixture(folder, options -> options.withControlGroups(ControlGroupChoice.REQUIRED));
    }

    private static boolean isControlled(String controller) throws Exception {
        return Files.readString(tree().resolve("cgroup.subtree_control")).contains(controller);
    }

    /** The group in which this process was started. */
    private static Path tree() {
        return requireNonNull(own.orElseThrow().folder().getParent());
    }
}
