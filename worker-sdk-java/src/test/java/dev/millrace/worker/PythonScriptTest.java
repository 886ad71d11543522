package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.TestLeases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Python scripts in real processes, above all badly behaved ones. */
final class PythonScriptTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private ScriptWorkerFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = new ScriptWorkerFixture(folder);
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
    }

    private String script(String content) {
        return fixture.scheduler.addScript("test/script.py", content);
    }

    @Test
    void runsMainWithItsParametersByName() throws Exception {
        String add = script("def main(a, b=2):\n    return {'sum': a + b}\n");

        assertThat(fixture.result(add, "{\"a\":\n40}")).isEqualTo("{\"sum\":42}");
        assertThat(fixture.result(add, "{\"a\":1,\"b\":1}")).isEqualTo("{\"sum\":2}");
    }

    @Test
    void keepsTheProcessWarmAndFetchesTheScriptOnce() throws Exception {
        String pid = script("import os\ndef main():\n    return os.getpid()\n");

        assertThat(fixture.result(pid, "{}")).isEqualTo(fixture.result(pid, "{}"));
        assertThat(fixture.scheduler.scriptFetches()).isEqualTo(1);
    }

    @Test
    void fetchesNoScriptThatALeaseCarries() throws Exception {
        String one = script("def main():\n    return 1\n");
        Lease lease = fixture.lease(one, "{}").toBuilder()
                .setScript(fixture.scheduler.script(one))
                .build();

        fixture.session.lease(lease);

        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("1");
        assertThat(fixture.scheduler.scriptFetches()).isZero();
    }

    @Test
    void runsABurstInOrder() throws Exception {
        String echo = script("def main(n):\n    return n\n");
        fixture.result(echo, "{\"n\":-1}");
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            leases.add(fixture.lease(echo, "{\"n\":" + i + "}"));
        }

        fixture.session.lease(leases.toArray(Lease[]::new));

        for (int i = 0; i < 500; i++) {
            assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .isEqualTo("" + i);
        }
    }

    @Test
    void sendsWhatTheScriptPrints() throws Exception {
        String chatty =
                script("import os\ndef main():\n    print('from python')\n    os.system('echo from a child')\n");
        Lease lease = fixture.lease(chatty, "{}");

        fixture.session.lease(lease);
        fixture.session.awaitAndAcceptResult();

        assertThat(fixture.session.log(lease.getJobId())).contains("from python\n", "from a child\n");
    }

    @Test
    void turnsAnExceptionIntoAnErrorWithTheUsersFrames() throws Exception {
        JobResult result = fixture.run(script("def main():\n    raise ValueError('no such thing')\n"), "{}");

        assertThat(result.getError().getName()).isEqualTo("ValueError");
        assertThat(result.getError().getMessage()).isEqualTo("no such thing");
        assertThat(result.getError().getStack()).contains("script.py").doesNotContain("_runner");
        assertThat(result.getError().getRetryable()).isTrue();
    }

    @Test
    void refusesResultsThatAreNotJson() throws Exception {
        assertThat(fixture.run(script("def main():\n    return float('nan')\n"), "{}")
                        .getError()
                        .getName())
                .isEqualTo("ResultError");
        assertThat(fixture.run(script("def main():\n    return object()\n"), "{}")
                        .getError()
                        .getName())
                .isEqualTo("ResultError");
    }

    @Test
    void refusesAResultThatIsTooLargeAndGoesOn() throws Exception {
        String large = script("def main(n):\n    return 'x' * n\n");

        assertThat(fixture.run(large, "{\"n\":1048577}").getError().getName()).isEqualTo("ResultTooLarge");
        assertThat(fixture.run(large, "{\"n\":20000000}").getError().getName()).isEqualTo("ResultTooLarge");
        assertThat(fixture.result(large, "{\"n\":1000000}")).hasSize(1_000_002);
    }

    @Test
    void takesLargeInputs() throws Exception {
        String length = script("def main(text):\n    return len(text)\n");

        assertThat(fixture.result(length, "{\"text\":\"" + "x".repeat(3_000_000) + "\"}"))
                .isEqualTo("3000000");
    }

    @Test
    void saysWhatAProcessThatExitsLeftBehind() throws Exception {
        String exits = script("import os\ndef main(n):\n    if n == 0:\n        os._exit(7)\n    return n\n");
        fixture.result(exits, "{\"n\":1}");
        fixture.result(exits, "{\"n\":2}");

        fixture.session.lease(fixture.lease(exits, "{\"n\":0}"), fixture.lease(exits, "{\"n\":3}"));

        JobResult failed = fixture.session.awaitAndAcceptResult();
        assertThat(failed.getError().getName()).isEqualTo("ProcessExited");
        assertThat(failed.getError().getMessage()).contains("exited with code 7 while the job ran");
        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("3");
    }

    @Test
    void namesTheSignalThatEndedAProcess() throws Exception {
        JobResult result =
                fixture.run(script("import os, signal\ndef main():\n    os.kill(os.getpid(), signal.SIGSEGV)\n"), "{}");

        assertThat(result.getError().getMessage()).contains("SIGSEGV");
    }

    @Test
    void doesNotCircleOnAScriptThatCannotBeLoaded() throws Exception {
        JobResult result = fixture.run(script("import nowhere_to_be_found\ndef main():\n    pass\n"), "{}");

        assertThat(result.getError().getName()).isEqualTo("LoadError");
        assertThat(result.getError().getMessage()).contains("nowhere_to_be_found");
        assertThat(fixture.run(script("import os\nos._exit(3)\n"), "{}")
                        .getError()
                        .getMessage())
                .contains("exited with code 3 before the script was loaded");
        assertThat(fixture.run("0000", "{}").getError().getMessage()).contains("none with this hash");
    }

    @Test
    void killsALoopThatTimesOutAndRunsTheNextJobElsewhere() throws Exception {
        String loops = script("def main(n):\n    while n == 0:\n        pass\n    return n\n");
        fixture.result(loops, "{\"n\":1}");

        fixture.session.lease(
                TestLeases.withTimeoutMillis(fixture.lease(loops, "{\"n\":0}"), 100),
                fixture.lease(loops, "{\"n\":2}"));

        JobResult timedOut = fixture.session.awaitAndAcceptResult();
        assertThat(timedOut.getError().getName()).isEqualTo("TimedOut");
        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("2");
    }

    @Test
    void killsAProcessThatWillNotStop() throws Exception {
        String stubborn = script(
                "import time\ndef main():\n    while True:\n        try:\n            time.sleep(60)\n        except BaseException:\n            pass\n");
        Lease lease = TestLeases.withTimeoutMillis(fixture.lease(stubborn, "{}"), 100);

        fixture.session.lease(lease);

        assertThat(fixture.session.awaitAndAcceptResult().getError().getName()).isEqualTo("TimedOut");
    }

    @Test
    void stopsACanceledJobWithoutAResult() throws Exception {
        String waits = script("import time\ndef main(n):\n    print('begun')\n    time.sleep(n)\n    return n\n");
        Lease canceled = fixture.lease(waits, "{\"n\":60}");
        Lease waiting = fixture.lease(waits, "{\"n\":50}");
        Lease last = fixture.lease(waits, "{\"n\":0}");
        fixture.session.lease(canceled);
        fixture.session.awaitLog(canceled.getJobId(), "begun");

        // Jobs that wait for a second behind another are given back.
        fixture.session.lease(waiting, last);
        fixture.session.cancel(waiting);
        fixture.session.cancel(canceled);

        assertThat(fixture.session.awaitAndAcceptResult().getJobId()).isEqualTo(last.getJobId());
    }

    @Test
    void stopsAJobInThePipeOfAFastScript() throws Exception {
        String waits = script("import time\ndef main(n):\n    print('begun')\n    time.sleep(n)\n    return n\n");
        fixture.result(waits, "{\"n\":0}");
        fixture.result(waits, "{\"n\":0}");
        Lease running = fixture.lease(waits, "{\"n\":0.5}");
        Lease inPipe = fixture.lease(waits, "{\"n\":60}");
        Lease last = fixture.lease(waits, "{\"n\":0}");
        fixture.session.lease(running, inPipe, last);
        fixture.session.awaitLog(running.getJobId(), "begun");

        fixture.session.cancel(inPipe);

        assertThat(fixture.session.awaitAndAcceptResult().getJobId()).isEqualTo(running.getJobId());
        assertThat(fixture.session.awaitAndAcceptResult().getJobId()).isEqualTo(last.getJobId());
        assertThat(fixture.session.log(inPipe.getJobId())).isEmpty();
    }

    @Test
    void stopsAJobWhoseInputIsLargerThanThePipe() throws Exception {
        String waits = script("""
                import asyncio, os
                async def main(text=''):
                    await asyncio.sleep(60 if text else 0)
                    return os.getpid()
                """);
        String pid = fixture.result(waits, "{}");
        String large = "{\"text\":\"" + "x".repeat(300_000) + "\"}";

        fixture.session.lease(TestLeases.withTimeoutMillis(fixture.lease(waits, large), 500));
        JobResult timedOut = fixture.session.awaitAndAcceptResult();
        assertThat(timedOut.getError().getName()).isEqualTo("TimedOut");
        assertThat(fixture.result(waits, "{}")).as("The process is warm.").isEqualTo(pid);

        Lease canceled = fixture.lease(waits, large);
        fixture.session.lease(canceled);
        fixture.session.awaitStarted(canceled.getJobId());
        fixture.session.cancel(canceled);
        assertThat(fixture.result(waits, "{}")).isNotEmpty();
    }

    @Test
    void stopsAJobWhoseScriptIsStillLoading() throws Exception {
        String loadsOnce = script("""
                import os, time
                if not os.path.exists('%1$s'):
                    open('%1$s', 'w').close()
                    print('loading')
                    time.sleep(600)
                def main():
                    return 1
                """.formatted(folder.resolve("loaded-before")));
        Lease canceled = fixture.lease(loadsOnce, "{}");
        fixture.session.lease(canceled);
        fixture.session.awaitLog(canceled.getJobId(), "loading");

        fixture.session.cancel(canceled);

        assertThat(fixture.result(loadsOnce, "{}")).isEqualTo("1");
    }

    @Test
    void runsJobsThatWaitedBehindOneThatWasCanceled() throws Exception {
        String fast = script("def main(n):\n    return n\n");
        fixture.result(fast, "{\"n\":-1}");
        for (int i = 0; i < 100; i++) {
            Lease first = fixture.lease(fast, "{\"n\":1}");
            Lease canceled = fixture.lease(fast, "{\"n\":2}");
            Lease last = fixture.lease(fast, "{\"n\":3}");
            fixture.session.lease(first, canceled, last);
            fixture.session.cancel(canceled);

            JobResult result = fixture.session.awaitAndAcceptResult();
            while (!result.getJobId().equals(last.getJobId())) {
                assertThat(result.getError().getMessage()).isEmpty();
                result = fixture.session.awaitAndAcceptResult();
            }
            assertThat(result.getResult().toStringUtf8()).isEqualTo("3");
        }
    }

    @Test
    void survivesAHundredMegabytesOfPrints() throws Exception {
        String floods =
                script("def main():\n    for _ in range(100):\n        print('x' * 1_000_000)\n    return 'done'\n");
        Lease lease = fixture.lease(floods, "{}");

        fixture.session.lease(lease);

        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("\"done\"");
        assertThat(fixture.session.log(lease.getJobId()))
                .hasSizeLessThan(1_100_000)
                .endsWith("Log limit of 1048576 bytes reached; the rest is dropped.\n");
    }

    @Test
    void takesNoPrintForAFrame() throws Exception {
        String forges = script("""
                import os
                def main():
                    frame = '{"type":"result","id":"x","result":1}'
                    print(frame)
                    os.write(1, (frame + chr(10)).encode())
                    return 'mine'
                """);

        assertThat(fixture.result(forges, "{}")).isEqualTo("\"mine\"");
    }

    @Test
    void goesOnAfterAScriptHasClosedItsStdout() throws Exception {
        String closes = script("import os, sys\ndef main():\n    sys.stdout.close()\n    os.close(1)\n    return 1\n");

        assertThat(fixture.result(closes, "{}")).isEqualTo("1");
        assertThat(fixture.run(closes, "{}").getJobId()).isNotEmpty();
    }

    @Test
    void replacesAProcessThatClosesEveryChannel() throws Exception {
        String closes = script("import os, time\ndef main():\n    os.closerange(0, 100)\n    time.sleep(60)\n");

        JobResult result = fixture.run(closes, "{}");

        assertThat(result.getError().getName()).isIn("ProtocolError", "ProcessExited");
        assertThat(fixture.result(script("def main():\n    return 1\n"), "{}")).isEqualTo("1");
    }

    @Test
    void replacesAProcessThatWritesGarbageToItsFrames() throws Exception {
        String garbage = script("""
                import os, time
                def main():
                    for fd in range(3, 20):
                        try:
                            os.write(fd, b'garbage' + bytes([10]))
                        except OSError:
                            pass
                    time.sleep(60)
                """);

        JobResult result = fixture.run(garbage, "{}");

        assertThat(result.getError().getName()).isEqualTo("ProtocolError");
        assertThat(result.getError().getMessage()).contains("not JSON: garbage");
    }

    @Test
    void endsChildrenThatOutliveTheirJob() throws Exception {
        String forks = script("""
                import os, subprocess, time
                def main():
                    subprocess.Popen(['sleep', '600'], start_new_session=True)
                    if os.fork() == 0:
                        os.setsid()
                        time.sleep(600)
                        os._exit(0)
                    return 'forked'
                """);

        assertThat(fixture.result(forks, "{}")).isEqualTo("\"forked\"");
    }

    @Test
    void endsChildrenOfAProcessThatDies() throws Exception {
        String forks = script("""
                import os, time
                def main():
                    if os.fork() == 0:
                        os.setsid()
                        time.sleep(600)
                    os._exit(1)
                """);

        assertThat(fixture.run(forks, "{}").getError().getName()).isEqualTo("ProcessExited");
    }
}
