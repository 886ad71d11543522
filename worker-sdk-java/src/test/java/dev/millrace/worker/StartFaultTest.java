package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.harness.Await;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.TestLeases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Runtimes that a worker finds and cannot start: the scheduler hears why, and the jobs return to the queue. */
class StartFaultTest {
    private static final String SCRIPT = "export const main = () => 1;\n";

    /** A process has 20 s, and that of the check 30 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(100);

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private Path folder = Path.of("");

    private Path program(String text) throws IOException {
        Path file = Files.writeString(
                folder.resolve("program"),
                "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'deno 2.9.6'; exit; }\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** Why the worker takes no jobs after it has got one for Deno. */
    private String pauseReason(Path deno) throws Exception {
        try (FakeScheduler scheduler = new FakeScheduler();
                ScriptWorker worker = ScriptWorker.start(ScriptWorkerOptions.of(scheduler.target())
                        .withName("w1")
                        .withFolder(folder.resolve("worker"))
                        .withDeno(deno.toString())
                        .withStopTimeout(Duration.ofMillis(200))
                        .withSlots(List.of(ScriptSlots.of("deno", 1, 1))))) {
            FakeSession session = scheduler.awaitSession().welcome("s1");
            assertThat(worker.awaitConnected(Duration.ofSeconds(10))).isTrue();
            session.lease(TestLeases.script("deno", scheduler.addScript("f/one.ts", SCRIPT), "{}"));
            Await.until(
                    "the worker has paused",
                    PATIENCE,
                    () -> session.received().stream().anyMatch(StartFaultTest::isPause));
            SlotGroup group = session.await(StartFaultTest::isPause).getDemand().getSlotGroups(0);
            JobResult returned = session.awaitAndAcceptResult();

            assertThat(returned.getReturned().getReason()).isEqualTo(group.getPauseReason());
            return group.getPauseReason();
        }
    }

    private static boolean isPause(OpenSessionRequest message) {
        return message.hasDemand()
                && !message.getDemand().getSlotGroups(0).getPauseReason().isEmpty();
    }

    @Test
    void saysWhatARuntimeSaidThatEndsAtOnce() throws Exception {
        assertThat(pauseReason(program("echo 'libc is too old' >&2; exit 3")))
                .isEqualTo("The worker cannot start Deno: libc is too old");
    }

    @Test
    void saysThatARuntimeIsMissing() throws Exception {
        assertThat(pauseReason(folder.resolve("absent")))
                .isEqualTo("This worker found no \"" + folder.resolve("absent")
                        + "\" to run the script with: install Deno 2, or set MILLRACE_DENO to its path, and restart the"
                        + " worker.");
    }

    @Test
    @Tag("nightly")
    void saysThatARuntimeNeverBecomesReady() throws Exception {
        assertThat(pauseReason(program("exec sleep 600")))
                .isEqualTo("The worker cannot start Deno: a process was not ready within 30 s.");
    }

    @Test
    @Tag("nightly")
    void aProgramThatDoesNotTellItsVersionKeepsNoOtherJobsBack() throws Exception {
        Path hanging = Files.writeString(folder.resolve("hanging"), "#!/bin/sh\nsleep 600 & wait\n");
        assertThat(hanging.toFile().setExecutable(true)).isTrue();
        try (ScriptWorkerFixture fixture =
                new ScriptWorkerFixture(folder.resolve("worker"), options -> options.withDeno(hanging.toString()))) {
            assertThat(fixture.result(fixture.scheduler.addScript("one.py", "def main(): return 1\n"), "{}"))
                    .isEqualTo("1");
        }
    }
}
