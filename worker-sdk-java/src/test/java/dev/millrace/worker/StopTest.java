package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import dev.millrace.worker.testing.TestLeases;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests to stop reach user code wherever it is. The grace time of the worker is longer than the test waits, so only
 * code that stops by itself ends.
 */
final class StopTest {
    private static final int TIMEOUT_MILLIS = 200;
    private static final int JOBS_MAX = 20;

    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path folder = Path.of("");

    private static ScriptWorkerFixture fixture;
    private static ServerSocket silent;
    private static int scripts;

    @BeforeAll
    static void start() throws Exception {
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        fixture = new ScriptWorkerFixture(
                folder,
                options ->
                        options.withGrace(Duration.ofMinutes(5)).withLanguages(List.of(new Early(Optional.of("1")))));
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
        silent.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time.sleep(600)",
                "for _ in iter(int, 1): len([])",
                "threading.Event().wait()",
                "queue.Queue().get()",
                "subprocess.run(['sleep', '600'])",
                "socket.create_connection(('127.0.0.1', PORT)).recv(1)",
                "threading.Thread(target=time.sleep, args=(600,), daemon=True).run()",
                "asyncio.run(asyncio.sleep(600))",
                "concurrent.futures.wait([concurrent.futures.Future()])",
            })
    void pythonCodeCleansUp(String waits) throws Exception {
        String hash =
                fixture.scheduler.addScript("stop" + ++scripts + ".py", """
                import asyncio, concurrent.futures, queue, socket, subprocess, threading, time
                def main():
                    print("begun")
                    try:
                        %s
                    finally:
                        print("cleaned up")
                """.formatted(waits.replace("PORT", port())));

        assertThat(fixture.session.log(timeOutAfterItsBegin(hash, "{}"))).contains("cleaned up");
    }

    @Test
    void asynchronousPythonCodeCleansUpWhereItWaits() throws Exception {
        String hash = fixture.scheduler.addScript("stop.py", """
                import asyncio, os
                async def main(wait: bool = True):
                    print("begun")
                    try:
                        await asyncio.sleep(600 if wait else 0)
                        return os.getpid()
                    except asyncio.CancelledError:
                        print("cleaned up")
                        raise
                """);
        String before = fixture.result(hash, "{\"wait\":false}");

        assertThat(fixture.session.log(timeOutAfterItsBegin(hash, "{}"))).contains("cleaned up");

        assertThat(fixture.result(hash, "{\"wait\":false}")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "await fetch('http://127.0.0.1:PORT/', { signal: ctx.signal })",
                "await new Promise((end) => ctx.signal.addEventListener('abort', end))"
            })
    void denoCodeCleansUp(String waits) throws Exception {
        String hash =
                fixture.scheduler.addScript("stop" + ++scripts + ".ts", """
                export async function main(wait: boolean, ctx: { signal: AbortSignal }) {
                  if (!wait) return Deno.pid;
                  console.log("begun");
                  try {
                    %s;
                  } finally {
                    console.log("cleaned up");
                  }
                }
                """.formatted(waits.replace("PORT", port())));
        String before = fixture.result(hash, "{\"wait\":false}");

        String job = timeOutAfterItsBegin(hash, "{\"wait\":true}");

        assertThat(fixture.session.log(job)).contains("cleaned up");
        assertThat(fixture.result(hash, "{\"wait\":false}")).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# millrace: grace=100ms\nimport re\ndef main():\n    re.match('(a+)+$', 'a' * 64 + 'b')\n",
                "# millrace: grace=100ms\ndef main():\n  while True:\n    try:\n      while True: pass\n    except BaseException: pass\n",
                "// millrace: grace=100ms\nexport function main() { for (;;) { /* busy */ } }\n"
            })
    void otherCodeIsEndedAfterTheGraceTimeOfItsScript(String source) throws Exception {
        String ending = source.startsWith("#") ? ".py" : ".ts";

        timeOut(fixture.scheduler.addScript("stubborn" + ++scripts + ending, source));
    }

    /** Begins its job, and hears that it is to stop, before the worker can know that it is ready. */
    private record Early(Optional<String> version) implements ScriptLanguage {
        @Override
        public String name() {
            return "early";
        }

        @Override
        public List<String> fileEndings() {
            return List.of(".early");
        }

        @Override
        public ProcessUse use() {
            return ProcessUse.WARM;
        }

        @Override
        public List<String> command(ScriptVersion script) {
            return List.of("sh", script.file().toString());
        }
    }

    @Test
    void aJobThatBeganBeforeTheWorkerKnewCleansUp() throws Exception {
        Lease lease = fixture.lease(fixture.scheduler.addScript("f/a.early", "early", """
                id() { printf '%s' "$1" | sed 's/.*"id":"//; s/".*//'; }
                say() { printf '{"type":"%s","id":"%s",%s}\\n' "$1" "$2" "$3"; }
                read -r job
                say log "" '"stream":"stdout","text":"begun"'
                read -r cancel
                printf '{"type":"ready","protocol":2,"runtime":"early 1"}\\n'
                say error "$(id "$cancel")" '"name":"Canceled","message":"","stack":"","retryable":false'
                read -r job
                say result "$(id "$job")" '"result":"of the same process"'
                read -r end
                """), "{}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        fixture.session.cancel(lease);

        assertThat(fixture.result(lease.getScriptHash(), "{}")).isEqualTo("\"of the same process\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import time\nprint('begun')\ntime.sleep(600)\ndef main(): pass\n",
                "console.log('begun'); await new Promise((end) => setTimeout(end, 600_000));\nexport function main() {}\n"
            })
    void aScriptThatIsStillLoadingHasLittleTime(String source) throws Exception {
        String ending = source.startsWith("import") ? ".py" : ".ts";
        Lease lease = fixture.lease(fixture.scheduler.addScript("loads" + ++scripts + ending, source), "{}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        fixture.session.cancel(lease);

        // The only slot is free again.
        assertThat(fixture.result(waitsOrSaysWhere("time.sleep(600)"), "{}")).isNotEmpty();
    }

    @Test
    void codeThatWasStoppedAnywhereLeavesNoProcessToOthers() throws Exception {
        String hash = waitsOrSaysWhere("time.sleep(600)");
        String before = fixture.result(hash, "{}");
        Lease lease = fixture.lease(hash, "{\"wait\":true}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        fixture.session.cancel(lease);

        assertThat(fixture.result(hash, "{}")).isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"time.sleep(600)", "await asyncio.to_thread(time.sleep, 600)"})
    void jobsBehindAStoppedOneRunElsewhere(String waits) throws Exception {
        String hash = waitsOrSaysWhere(waits);
        for (int i = 0; i < 20; i++) {
            fixture.result(hash, "{}");
        }
        String before = fixture.result(hash, "{}");
        Lease lease = fixture.lease(hash, "{\"wait\":true}");
        Lease second = fixture.lease(hash, "{}");
        Lease third = fixture.lease(hash, "{}");
        fixture.session.lease(lease, second, third);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        fixture.session.cancel(lease);

        List<String> ended = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            JobResult result = fixture.session.awaitAndAcceptResult();
            ended.add(result.getJobId());
            assertThat(result.getReturned().getReason() + result.getResult().toStringUtf8())
                    .isNotEqualTo(before);
            assertThat(result.getError().getMessage()).isEmpty();
        }
        assertThat(ended).containsExactlyInAnyOrder(second.getJobId(), third.getJobId());
    }

    private static String waitsOrSaysWhere(String waits) {
        return fixture.scheduler.addScript(
                "waits" + ++scripts + ".py", """
                import asyncio, os, time
                %s main(wait: bool = False):
                    if wait:
                        print("begun")
                        %s
                    return os.getpid()
                """.formatted(waits.startsWith("await") ? "async def" : "def", waits));
    }

    private static String timeOut(String hash) throws InterruptedException {
        return timeOut(hash, "{}");
    }

    /** Runs a job until its time is over, and returns its id. */
    private static String timeOut(String hash, String input) throws InterruptedException {
        Lease lease = TestLeases.withTimeoutMillis(fixture.lease(hash, input), TIMEOUT_MILLIS);
        fixture.session.lease(lease);
        JobResult result = fixture.session.awaitAndAcceptResult();
        assertThat(result.getError().getName()).isEqualTo("TimedOut");
        return lease.getJobId();
    }

    /**
     * Runs jobs until one has begun before its time was over, and returns its id. On a busy machine, a process may get none of the
     * processors for as long; its job is then over before it begins.
     */
    private static String timeOutAfterItsBegin(String hash, String input) throws InterruptedException {
        String job = timeOut(hash, input);
        for (int i = 1; i < JOBS_MAX && !fixture.session.log(job).contains("begun"); i++) {
            job = timeOut(hash, input);
        }
        return job;
    }

    private static String port() {
        return String.valueOf(silent.getLocalPort());
    }
}
