package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.harness.Await;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.worker.language.Preparer;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.TestLeases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
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

    /** A language whose processes start with this command. */
    private record Added(List<String> start, Optional<Preparer> preparer) implements ScriptLanguage {
        @Override
        public String name() {
            return "added";
        }

        @Override
        public List<String> fileEndings() {
            return List.of(".added");
        }

        @Override
        public Optional<String> version() {
            return Optional.of("1");
        }

        @Override
        public Optional<String> sample() {
            return Optional.of("nothing");
        }

        @Override
        public ProcessUse use() {
            return ProcessUse.WARM;
        }

        @Override
        public List<String> command(ScriptVersion script) {
            return start;
        }
    }

    /** Why the worker takes no jobs after it has got one for Deno. */
    private String pauseReason(Path deno) throws Exception {
        return pauseReason("deno", options -> options.withDeno(deno.toString()));
    }

    /** Why the worker takes no jobs after it has got one for the language. */
    private String pauseReason(Added language) throws Exception {
        return pauseReason("added", options -> options.withLanguages(List.of(language)));
    }

    private String pauseReason(String language, UnaryOperator<ScriptWorkerOptions> change) throws Exception {
        try (FakeScheduler scheduler = new FakeScheduler();
                ScriptWorker worker = ScriptWorker.start(change.apply(ScriptWorkerOptions.of(scheduler.target())
                        .withName("w1")
                        .withFolder(folder.resolve("worker"))
                        .withStopTimeout(Duration.ofMillis(200))
                        .withSlots(List.of(ScriptSlots.of(language, 1, 1)))))) {
            FakeSession session = scheduler.awaitSession().welcome("s1");
            assertThat(worker.awaitConnected(Duration.ofSeconds(60))).isTrue();
            String hash = language.equals("deno")
                    ? scheduler.addScript("f/one.ts", SCRIPT)
                    : scheduler.addScript("f/one.added", language, SCRIPT);
            session.lease(TestLeases.script(language, hash, "{}"));
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
    void saysWhatAnAddedLanguageSaidThatCannotStart() throws Exception {
        assertThat(pauseReason(new Added(List.of("sh", "-c", "echo 'libc is too old' >&2; exit 3"), Optional.empty())))
                .isEqualTo("The worker cannot start added: libc is too old");
    }

    @Test
    void saysWhatTheCompilerOfAnAddedLanguageLacks() throws Exception {
        Preparer broken = preparation -> {
            throw new IOException("package fmt is not in std");
        };

        assertThat(pauseReason(new Added(List.of("true"), Optional.of(broken))))
                .isEqualTo("The worker cannot prepare scripts in added: package fmt is not in std");
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
