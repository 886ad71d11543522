package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.Demand;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.OpenSessionRequest;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.worker.testing.FakeScheduler;
import dev.millrace.worker.testing.FakeSession;
import dev.millrace.worker.testing.ProcessTable;
import dev.millrace.worker.testing.TestLeases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
    /**
     * Starts a child that ignores SIGTERM, with its own session, environment and parent. Prints the ids of the child
     * and the process.
     */
    private static final String HIDES_A_CHILD = """
            import os, subprocess, time
            def main():
                command = ["setsid", "-f", "env", "-i", "sh", "-c", "trap '' TERM; echo $$ >&2; exec sleep 600"]
                print(subprocess.Popen(command, stderr=subprocess.PIPE).stderr.readline().decode().strip())
                print(os.getpid())
                print("hidden")
                while True:
                    try:
                        time.sleep(600)
                    except BaseException:
                        pass
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

            fixture.session.lease(first, second);
            fixture.session.awaitLog(first.getJobId(), "begun");
            fixture.session.awaitLog(second.getJobId(), "begun");
            fixture.session.lease(third);
            assertThat(fixture.session.log(third.getJobId())).isEmpty();
            assertThat(fixture.scheduler.scriptFetches()).isEqualTo(1);
            fixture.session.cancel(first);
            fixture.session.awaitLog(third.getJobId(), "begun");
        }
    }

    @Test
    void reportsItsProcessesWithHeartbeats() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            String pid = fixture.scheduler.addScript("pid.py", PID);
            String served = fixture.result(pid, "{}");

            // Earlier heartbeats may show the process while it starts or works.
            ScriptProcess process = fixture.session
                    .await(message -> message.getHeartbeat().getProcesses().getProcessesList().stream()
                            .anyMatch(reported -> reported.getJobsEnded() == 1))
                    .getHeartbeat()
                    .getProcesses()
                    .getProcesses(0);

            assertThat(process.getScriptHash()).isEqualTo(pid);
            assertThat(process.getLanguage()).isEqualTo("python");
            assertThat(process.getState()).isEqualTo(ScriptProcess.State.STATE_IDLE);
            assertThat(process.getPid()).hasToString(served);
            assertThat(process.getJobsEnded()).isEqualTo(1);
            assertThat(process.getMemoryBytes()).isPositive();
        }
    }

    @Test
    void asksForMoreJobsWhereTheyAreShort() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            String pid = fixture.scheduler.addScript("pid.py", PID);
            // How many jobs it takes depends on the machine: one that pauses now and then makes short jobs look long.
            while (fixture.session.received().stream().noneMatch(OpenSessionRequest::hasDemand)) {
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

            for (int behind = 7; behind >= 1; behind--) {
                JobResult result = fixture.session.awaitAndAcceptResult();
                assertThat(result.getJobId()).isEqualTo(leases[behind].getJobId());
                assertThat(result.hasReturned()).isTrue();
            }
            fixture.session.await(message ->
                    message.hasDemand() && message.getDemand().getSlotGroups(0).getPrefetch() == 0);
        }
    }

    @Test
    void endsTheProcessThatWasIdleLongestToMakeRoom() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(2))) {
            String a = fixture.scheduler.addScript("a.py", PID);
            String b = fixture.scheduler.addScript("b.py", PID + "# b\n");
            String c = fixture.scheduler.addScript("c.py", PID + "# c\n");
            String pidOfA = fixture.result(a, "{}");
            String pidOfB = fixture.result(b, "{}");
            // A result is sent before its process counts as idle.
            fixture.session.await(message -> message.getHeartbeat().getProcesses().getProcessesList().stream()
                    .anyMatch(process -> process.getScriptHash().equals(b)
                            && process.getState() == ScriptProcess.State.STATE_IDLE
                            && process.getJobsEnded() == 1));

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
    void returnsJobsWhoseInterpreterIsMissingAndTakesThemAgainOnceItIsThere() throws Exception {
        Path python = folder.resolve("python");
        try (ScriptWorkerFixture fixture =
                new ScriptWorkerFixture(folder, options -> options.withPython(python.toString()))) {
            String pid = fixture.scheduler.addScript("pid.py", PID);

            JobResult result = fixture.run(pid, "{}");

            assertThat(result.getReturned().getReason())
                    .isEqualTo("This worker found no \"" + python + "\" to run the script with: install Python 3.10 or"
                            + " newer, or set MILLRACE_PYTHON to its path, and restart the worker.");
            assertPausedBeforeItReturned(fixture.session, result);
            Files.createSymbolicLink(python, python3());
            fixture.session.await(message ->
                    message.hasDemand() && message.getDemand().getSlotGroups(0).getSlots() == 1);
            assertThat(fixture.result(pid, "{}")).isNotEmpty();
        }
    }

    @Test
    void returnsJobsWhoseInterpreterIsBroken() throws Exception {
        Path python = executable("#!/bin/sh\necho 'no such library' >&2\nexit 1\n");
        try (ScriptWorkerFixture fixture =
                new ScriptWorkerFixture(folder, options -> options.withPython(python.toString()))) {
            JobResult result = fixture.run(fixture.scheduler.addScript("pid.py", PID), "{}");

            assertThat(result.getReturned().getReason()).isEqualTo("The worker cannot start Python: no such library");
            assertPausedBeforeItReturned(fixture.session, result);
        }
    }

    @Test
    void returnsJobsWhoseScriptsItCannotWrite() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            Path scripts = folder.resolve("scripts");
            Files.delete(scripts);
            Files.writeString(scripts, "in the way");
            String pid = fixture.scheduler.addScript("pid.py", PID);

            JobResult result = fixture.run(pid, "{}");

            assertThat(result.getReturned().getReason()).startsWith("The worker cannot write its folder " + scripts);
            assertPausedBeforeItReturned(fixture.session, result);
            Files.delete(scripts);
            fixture.session.await(message ->
                    message.hasDemand() && message.getDemand().getSlotGroups(0).getSlots() == 1);
            assertThat(fixture.result(pid, "{}")).isNotEmpty();
        }
    }

    @Test
    void runsAScriptAsItWasDeployedAlthoughAnotherHasChangedItsFile() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder, options -> options.withProcessesMax(1))) {
            String victim =
                    fixture.scheduler.addScript("victim.py", "import json\ndef main():\n    return json.dumps([1])\n");
            String attacker = fixture.scheduler.addScript("attacker.py", """
                    import glob, os
                    def main(folder):
                        [file] = glob.glob(folder + "/scripts/*/*/victim.py")
                        mode = os.stat(file).st_mode & 0o777
                        os.chmod(file, 0o600)
                        with open(file, "w") as out:
                            out.write("def main(): return 'changed'")
                        with open(os.path.dirname(file) + "/json.py", "w") as out:
                            out.write("def dumps(value): return 'changed'")
                        for runtime in glob.glob(folder + "/runtime/python/millrace/**/*.py*", recursive=True):
                            os.chmod(runtime, 0o600)
                            with open(runtime, "wb") as out:
                                out.write(b"changed")
                        return oct(mode)
                    """);
            assertThat(fixture.result(victim, "{}")).isEqualTo("\"[1]\"");

            assertThat(fixture.result(attacker, "{\"folder\":\"" + folder + "\"}"))
                    .isEqualTo("\"0o444\"");

            assertThat(fixture.result(victim, "{}")).isEqualTo("\"[1]\"");
            assertThat(fixture.scheduler.scriptFetches()).isEqualTo(3);
        }
    }

    @Test
    void blamesAScriptThatEndsItsProcessOnTheScript() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            JobResult result =
                    fixture.run(fixture.scheduler.addScript("exits.py", "import os\nos.kill(os.getpid(), 9)\n"), "{}");

            assertThat(result.getError().getName()).isEqualTo("ProcessExited");
            assertThat(fixture.session.received()).noneMatch(OpenSessionRequest::hasDemand);
        }
    }

    /** The scheduler must hear first that the group takes no jobs: it would lease the returned job to it again. */
    private static void assertPausedBeforeItReturned(FakeSession session, JobResult result) {
        OpenSessionRequest first = session.received().stream()
                .filter(message -> message.hasDemand() || message.hasResults())
                .findFirst()
                .orElseThrow();
        assertThat(first.getDemand().getSlotGroups(0).getSlots()).isZero();
        assertThat(first.getDemand().getSlotGroups(0).getPauseReason())
                .isEqualTo(result.getReturned().getReason());
    }

    private Path executable(String content) throws IOException {
        Path file = folder.resolve("interpreter");
        Files.writeString(file, content);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private static Path python3() {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .map(place -> Path.of(place, "python3"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
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

    @Test
    void leavesNoChildWithAnEnvironmentOfItsOwnBehindWhenTheWorkerIsKilled() throws Exception {
        try (FakeScheduler scheduler = new FakeScheduler()) {
            Process worker = startWorkerProcess(scheduler);
            ProcessHandle child;
            try {
                FakeSession session = scheduler.awaitSession().welcome("s1");
                Lease lease = TestLeases.script("scripts", scheduler.addScript("hides.py", HIDES_A_CHILD), "{}");
                session.lease(lease);
                child = hiddenChild(session, lease);
                assertThat(child.isAlive()).isTrue();
            } finally {
                worker.destroyForcibly().waitFor();
            }

            child.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void endsWhatAKilledProcessHasHidden() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            Lease lease = fixture.lease(fixture.scheduler.addScript("hides.py", HIDES_A_CHILD), "{}");
            fixture.session.lease(lease);
            ProcessHandle child = hiddenChild(fixture.session, lease);
            ProcessHandle process = ProcessHandle.of(Long.parseLong(fixture.session
                            .log(lease.getJobId())
                            .lines()
                            .skip(1)
                            .findFirst()
                            .orElseThrow()))
                    .orElseThrow();

            process.destroyForcibly();

            assertThat(fixture.session.awaitAndAcceptResult().getError().getName())
                    .isEqualTo("ProcessExited");
            child.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void isNotHeldUpByAChildThatIgnoresTheRequestToStop() throws Exception {
        try (ScriptWorkerFixture fixture = new ScriptWorkerFixture(folder)) {
            Lease lease = fixture.lease(fixture.scheduler.addScript("hides.py", HIDES_A_CHILD), "{}");
            fixture.session.lease(lease);
            ProcessHandle child = hiddenChild(fixture.session, lease);

            fixture.session.cancel(lease);

            child.onExit().get(FakeScheduler.WAIT_SECONDS, TimeUnit.SECONDS);
            assertThat(fixture.result(fixture.scheduler.addScript("pid.py", PID), "{}"))
                    .isNotEmpty();
        }
    }

    /** The child that {@link #HIDES_A_CHILD} started. */
    private static ProcessHandle hiddenChild(FakeSession session, Lease lease) throws InterruptedException {
        session.awaitLog(lease.getJobId(), "hidden");
        return ProcessHandle.of(Long.parseLong(
                        session.log(lease.getJobId()).lines().findFirst().orElseThrow()))
                .orElseThrow();
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

    /** Worker in its own JVM. */
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
