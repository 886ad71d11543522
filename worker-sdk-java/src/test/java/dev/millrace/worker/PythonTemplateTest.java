package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.FakeScheduler;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Processes that the worker's template forks, and what becomes of them without it. */
final class PythonTemplateTest {
    private static final String PARENT = "import os\ndef main():\n    return os.getppid()\n";

    /** More starts than a template needs to get ready. */
    private static final int STARTS_MAX = 1_000;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private ScriptWorkerFixture fixture;
    private int scripts;

    @BeforeEach
    void start() throws Exception {
        fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(2));
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
    }

    @Test
    void processesOfAllScriptsAreForksOfOneTemplate() throws Exception {
        ProcessHandle template = awaitTemplate();

        assertThat(fixture.result(script(PARENT), "{}")).isEqualTo("" + template.pid());
    }

    @Test
    void aJobOutlivesItsTemplateAndAnotherOneTakesItsPlace() throws Exception {
        ProcessHandle template = awaitTemplate();
        Lease lease = fixture.lease(script("""
                        import os, time
                        def main():
                            print("begun")
                            while os.getppid() == %d:
                                time.sleep(0.01)
                            return "outlived"
                        """.formatted(template.pid())), "{}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        end(template);

        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("\"outlived\"");
        assertThat(awaitTemplate().pid()).isNotEqualTo(template.pid());
    }

    @Test
    void theEndOfAProcessWithoutATemplateIsNoticed() throws Exception {
        ProcessHandle template = awaitTemplate();
        String dies = script("""
                import os, time
                def main(template):
                    print("begun")
                    while os.getppid() == template:
                        time.sleep(0.01)
                    os._exit(7)
                """);
        Lease lease = fixture.lease(dies, "{\"template\":" + template.pid() + "}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        end(template);

        JobResult result = fixture.session.awaitAndAcceptResult();
        assertThat(result.getError().getName()).isEqualTo("ProcessExited");
        assertThat(result.getError().getMessage()).contains("ended for an unknown reason");
    }

    @Test
    void saysHowAForkHasEnded() throws Exception {
        awaitTemplate();

        JobResult exits = fixture.run(script("import os\ndef main(): os._exit(7)\n"), "{}");
        JobResult killed = fixture.run(script("import os\ndef main(): os.kill(os.getpid(), 9)\n"), "{}");

        assertThat(exits.getError().getMessage()).contains("exited with code 7");
        assertThat(killed.getError().getMessage()).contains("was ended by SIGKILL");
    }

    @Test
    void aTemplateThatDoesNotAnswerIsReplaced() throws Exception {
        ProcessHandle template = awaitTemplate();
        awaitWaiting(template);
        new ProcessBuilder("kill", "-STOP", "" + template.pid()).start().waitFor();

        assertThat(fixture.result(script(PARENT), "{}"))
                .as("The fork that waited already.")
                .isEqualTo("" + template.pid());
        assertThat(fixture.result(script(PARENT), "{}"))
                .as("No fork waits, and none comes.")
                .isEqualTo("" + ProcessHandle.current().pid());
        template.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
        assertThat(awaitTemplate().pid()).isNotEqualTo(template.pid());
    }

    @Test
    void aForkThatDiedWhileItWaitedHarmsNoJob() throws Exception {
        ProcessHandle template = awaitTemplate();

        end(awaitWaiting(template));

        // A fork that died before it had reported is not known to be dead: then the worker itself starts the process.
        assertThat(fixture.result(script(PARENT), "{}"))
                .isIn("" + template.pid(), "" + ProcessHandle.current().pid());
    }

    @Test
    void aClosedWorkerLeavesNoneBehind() throws Exception {
        ProcessHandle template = awaitTemplate();
        ProcessHandle waiting = awaitWaiting(template);

        fixture.close();

        template.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
        waiting.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
    }

    private String script(String content) {
        scripts++;
        return fixture.scheduler.addScript("script" + scripts + ".py", content + "# " + scripts + "\n");
    }

    /** Starts processes until one is a fork, and returns its template. Until then, the worker is the parent. */
    private ProcessHandle awaitTemplate() throws Exception {
        String worker = "" + ProcessHandle.current().pid();
        for (int i = 0; i < STARTS_MAX; i++) {
            String parent = fixture.result(script(PARENT), "{}");
            if (!parent.equals(worker)) {
                return ProcessHandle.of(Long.parseLong(parent)).orElseThrow();
            }
        }
        throw new AssertionError("The worker has no template.");
    }

    /** Returns the fork that has no script yet, and therefore shows the arguments of its template. */
    private static ProcessHandle awaitWaiting(ProcessHandle template) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(FakeScheduler.WAIT_SECONDS)) {
            Optional<ProcessHandle> waiting = template.children()
                    .filter(fork -> fork.info().commandLine().orElse("").contains("--template"))
                    .findAny();
            if (waiting.isPresent()) {
                return waiting.get();
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("No fork waits.");
    }

    private static void end(ProcessHandle template) throws Exception {
        template.destroyForcibly();
        template.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
    }
}
