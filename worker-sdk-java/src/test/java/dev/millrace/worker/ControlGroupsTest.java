package dev.millrace.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.worker.internal.limit.ControlGroups;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in control groups. Skipped where this process may make none. */
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

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path folder;

    private static Optional<ControlGroups> own = Optional.empty();
    private static boolean areProcessesLimited;

    @BeforeAll
    static void needsControlGroups() throws IOException {
        own = ControlGroups.of(ControlGroupChoice.AUTO);
        assumeTrue(own.isPresent(), "control groups work here");
        Path passedOn = own.orElseThrow().folder().resolve("cgroup.subtree_control");
        areProcessesLimited = own.orElseThrow().tasksFolder().isPresent()
                || Files.readString(passedOn).contains("pids");
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
        assumeTrue(
                areProcessesLimited,
                "the controller \"pids\" works here; without it, a bomb often wins the race (ADR 95)");
        try (ScriptWorkerFixture fixture = grouped()) {
            JobResult result = fixture.run(fixture.scheduler.addScript("bomb.py", BOMB), "{}");
            assertThat(result.getError().getName())
                    .as(result.getError().getMessage())
                    .isEqualTo("LimitExceeded");
            assertThat(fixture.result(fixture.scheduler.addScript("next.py", TELLS_ITS_GROUP), "{}"))
                    .contains("/millrace-");
        }
    }

    private ScriptWorkerFixture grouped() throws InterruptedException {
        return new ScriptWorkerFixture(folder, options -> options.withControlGroups(ControlGroupChoice.REQUIRED));
    }

    /** The group in which this process was started. */
    private static Path tree() {
        return requireNonNull(own.orElseThrow().folder().getParent());
    }
}
