package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.Demand;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.ProcessTable;
import dev.millrace.worker.testing.TestLeases;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** How jobs share processes, slots and the budget, and what is left when a worker ends. */
final class ScriptPoolTest {
    private static final String WAITS = """
            import time
            def main():
                print('begun')
                time.sleep(600)
            """;
    private static final String PID = "import os\ndef main():\n    return os.getpid()\n";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    @Test
    void runsAsManyJobsAtOnceAsThereAreSlots() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(
                folder, options -> options.withSlots(List.of(ScriptSlots.of("scripts", 2, 4))))) {
            String waits = fixture.scheduler.addScript("waits.py", WAITS);
            Lease first = fixture.lease(waits, "{}");
            Lease second = fixture.lease(waits, "{}");
            Lease third = fixture.lease(waits, "{}");

            fixture.session.lease(first, second, third);

            fixture.session.awaitLog(first.getJobId(), "begun");
            fixture.session.awaitLog(second.getJobId(), "begun");
            assertThat(fixture.session.log(third.getJobId())).isEmpty();
            assertThat(fixture.scheduler.scriptFetches()).isEqualTo(1);
            fixture.session.cancel(first);
            fixture.session.awaitLog(third.getJobId(), "begun");
        }
    }

    @Test
    void asksForMoreJobsWhereTheyAreShort() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            String pid = fixture.scheduler.addScript("pid.py", PID);
            for (int i = 0; i < 30; i++) {
                fixture.run(pid, "{}");
            }

            Demand demand = fixture.session.await(OpenSessionRequest::hasDemand).getDemand();

            assertThat(demand.getSlotGroups(0).getPrefetch()).isGreaterThan(4);
        }
    }

    @Test
    void givesJobsBackThatWouldWaitBehindALongOne() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            String waits = fixture.scheduler.addScript("waits.py", WAITS);
            Lease[] leases =
                    Stream.generate(() -> fixture.lease(waits, "{}")).limit(8).toArray(Lease[]::new);

            fixture.session.lease(leases);

            for (int excess = 7; excess > 4; excess--) {
                JobResult result = fixture.session.awaitAndAcceptResult();
                assertThat(result.getJobId()).isEqualTo(leases[excess].getJobId());
                assertThat(result.hasReturned()).isTrue();
            }
        }
    }

    @Test
    void endsTheProcessThatWasIdleLongestToMakeRoom() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(2))) {
            String a = fixture.scheduler.addScript("a.py", PID);
            String b = fixture.scheduler.addScript("b.py", PID);
            String c = fixture.scheduler.addScript("c.py", PID);
            String pidOfA = fixture.result(a, "{}");
            String pidOfB = fixture.result(b, "{}");

            assertThat(fixture.result(a, "{}")).isEqualTo(pidOfA);
            fixture.result(c, "{}");

            assertThat(fixture.result(a, "{}")).isEqualTo(pidOfA);
            assertThat(fixture.result(b, "{}")).isNotEqualTo(pidOfB);
        }
    }

    @Test
    void keepsWorkspacesApart() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            String pid = fixture.scheduler.addScript("pid.py", PID);
            String own = fixture.result(pid, "{}");

            fixture.session.lease(fixture.lease(pid, "{}").toBuilder()
                    .setWorkspace("other team")
                    .build());

            assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .isNotEqualTo(own);
        }
    }

    @Test
    void givesUserCodeAScrubbedEnvironment() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            String environment = fixture.scheduler.addScript(
                    "environment.py", "import os\ndef main():\n    return sorted(os.environ)\n");

            assertThat(fixture.result(environment, "{}"))
                    .contains("MILLRACE_WORKSPACE")
                    .doesNotContain("MILLRACE_HOME", "JAVA_HOME", "USER");
        }
    }

    @Test
    void saysWhichInterpreterIsMissing() throws Exception {
        try (ScriptWorkerFixture fixture =
                new ScriptWorkerFixture(folder, options -> options.withPython("python-of-nowhere"))) {
            JobResult result = fixture.run(fixture.scheduler.addScript("pid.py", PID), "{}");

            assertThat(result.getError().getName()).isEqualTo("LoadError");
            assertThat(result.getError().getMessage())
                    .isEqualTo(
                            "This worker found no \"python-of-nowhere\" to run the script with: install Python 3.10 or"
                                    + " newer, or set MILLRACE_PYTHON to where it is, and start the worker again.");
        }
    }

    @Test
    void leavesNoProcessBehindWhenTheWorkerIsKilled() throws Exception {
        try (FakeScheduler scheduler = new FakeScheduler()) {
            Process worker = startWorkerProcess(scheduler);
            try {
                FakeSession session = scheduler.awaitSession().welcome("s1");
                Lease python = TestLeases.script(
                        "scripts",
                        scheduler.addScript("busy.py", "def main():\n    print('begun')\n    while True: pass\n"),
                        "{}");
                Lease deno = TestLeases.script(
                        "scripts",
                        scheduler.addScript(
                                "busy.ts",
                                "export function main() { console.log('begun'); while (true) { /* busy */ } }"),
                        "{}");
                session.lease(python, deno);
                session.awaitLog(python.getJobId(), "begun");
                session.awaitLog(deno.getJobId(), "begun");
            } finally {
                worker.destroyForcibly().waitFor();
            }

            new ProcessTable(folder).awaitNone();
        }
    }

    private Process startWorkerProcess(FakeScheduler scheduler) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerProcess.class.getName(),
                        scheduler.target(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** A worker in a JVM of its own. */
    static final class WorkerProcess {
        private WorkerProcess() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (ScriptWorker worker = ScriptWorker.start(ScriptWorkerOptions.of(arguments[0])
                    .withFolder(Path.of(arguments[1]))
                    .withSlots(List.of(ScriptSlots.of("scripts", 2, 0))))) {
                if (worker.awaitConnected(java.time.Duration.ofSeconds(FakeScheduler.WAIT_SECONDS))) {
                    Thread.currentThread().join();
                }
            }
        }
    }
}
