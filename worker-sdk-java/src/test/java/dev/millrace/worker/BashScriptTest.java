package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.common.v1.JobError;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.TestLeases;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in Bash, in real processes. */
final class BashScriptTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    private static Path folder = Path.of("");

    private static ScriptWorkerFixture fixture;
    private static int scripts;

    @BeforeAll
    static void start() throws Exception {
        fixture = new ScriptWorkerFixture(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @Test
    void inputsAreVariablesAndTheLastLineIsTheResult() throws Exception {
        String hash = bash("echo working\necho \"$greeting, ${who}! $list $nothing$count\"\n\n");

        assertThat(result(hash, """
                {"greeting":"Hej \\"$(touch pwned)\\" `id`\\n","who":"Ann","list":[1,"a"],"nothing":null,"count":0.12345678901234567890123}""")).isEqualTo("\", Ann! [1,\\\"a\\\"] 0.12345678901234567890123\"");
        assertThat(result(bash("printf %s \"$text\""), "{\"text\":\"$(id) 'x' *\"}"))
                .isEqualTo("\"$(id) 'x' *\"");
        assertThat(result(bash("env | grep -c '^secret=' || true"), "{\"secret\":\"x\"}"))
                .isEqualTo("\"0\"");
    }

    @Test
    void positionsHaveNames() throws Exception {
        String hash = bash("name=\"$1\"\nn=${2:-7}\necho \"$# $name $n\"");

        assertThat(result(hash, "{\"name\":\"a b\"}")).isEqualTo("\"2 a b 7\"");
        assertThat(result(hash, "{\"n\":5,\"name\":\"x\"}")).isEqualTo("\"2 x 5\"");
        assertThat(error(hash, "{}").getMessage()).contains("The input lacks \"name\"");
    }

    @Test
    void anInputThatIsNoVariableIsRefused() throws Exception {
        String hash = bash("echo ran");

        for (String name : new String[] {"PATH", "BASH_ENV", "a-b", "_", "x[0]", "__millrace_name", ""}) {
            JobError error = error(hash, "{\"" + name + "\":\"x\"}");
            assertThat(error.getName()).as(name).isEqualTo("InputError");
            assertThat(error.getRetryable()).isFalse();
        }
        assertThat(error(hash, "{\"x\":\"a\\u0000b\"}").getMessage()).contains("zero byte");
    }

    @Test
    void aFileIsTheResultIfThereIsOne() throws Exception {
        assertThat(result(bash("echo '{\"a\": [1, 2.50]}' > result.json; echo last"), "{}"))
                .isEqualTo("{\"a\": [1, 2.50]}");
        assertThat(result(bash("echo '{\"a\": 1}'"), "{}")).isEqualTo("{\"a\": 1}");
        assertThat(result(bash("echo '{no json'"), "{}")).isEqualTo("\"{no json\"");
        assertThat(result(bash(":"), "{}")).isEqualTo("null");
        assertThat(error(bash("echo '{' > result.json"), "{}").getMessage())
                .contains("The file result.json is not JSON");
        assertThat(result(bash("ln -s /etc/passwd result.json; echo kept"), "{}"))
                .isEqualTo("\"kept\"");
    }

    @Test
    void eachJobHasAFolderOfItsOwn() throws Exception {
        String hash = bash("seen=$(ls -A); touch left; read -r line || echo \"[$seen] $PWD $MILLRACE_JOB_ID\"");

        Path first = Path.of(result(hash, "{}").replace("\"", "").split(" ", -1)[1]);
        assertThat(result(hash, "{}")).startsWith("\"[] /").doesNotContain(first.toString());
        long start = System.nanoTime();
        while (Files.exists(first)) {
            assertThat(System.nanoTime() - start).isLessThan(20_000_000_000L);
            Thread.onSpinWait();
        }
    }

    @Test
    void savesAndLoadsBlobs() throws Exception {
        String saved = result(bash("printf 'a\\0b' > data.bin; millrace-blob put data.bin text/csv"), "{}");
        assertThat(saved).contains("\"$blob\":", "\"bytes\":3", "\"media_type\":\"text/csv\"");

        String input = "{\"table\":" + saved + "}";
        assertThat(result(bash("millrace-blob get \"$table\" | od -An -c | tr -d ' '"), input))
                .isEqualTo("\"a\\\\0b\"");
        assertThat(result(bash("cd /; millrace-blob get \"$table\" \"$TMPDIR/copy\"; ls -A \"$TMPDIR\""), input))
                .isEqualTo("\"copy\"");
        assertThat(result(bash("""
                        for i in 1 2 3; do (echo $i | millrace-blob put - | grep -o 'bytes":2' > $i) & done
                        wait; cat 1 2 3 | wc -l | tr -d ' '
                        """), "{}")).isEqualTo("\"3\"");
        assertThat(error(bash("set -e; millrace-blob get 0190 > x"), "{}").getMessage())
                .contains("InvalidCall: There is no blob 0190");
        assertThat(error(bash("millrace-blob put missing"), "{}").getMessage())
                .contains("there is no file \"missing\"");
        assertThat(error(bash("millrace-blob get '{}'"), "{}").getMessage()).contains("code 2", "neither a reference");
    }

    @Test
    void makesTheOtherCallsOfScripts() throws Exception {
        assertThat(result(bash("""
                        millrace-call data.set '{"key":"k","value":[1]}'
                        millrace-call data.get '{"key":"k"}'
                        """), "{}")).isEqualTo("{\"value\":[1]}");
        assertThat(error(bash("millrace-call data.get '{'"), "{}").getMessage())
                .contains("InvalidCall: The arguments of the call are not JSON");
        assertThat(error(bash("millrace-call no.such"), "{}").getMessage()).contains("no call named \"no.such\"");
        // Pipes in place of calls and answers, and links, cost only the job that made them.
        assertThat(result(bash("""
                        cd "$MILLRACE_CALLS"; mkfifo x.call; ln -s /etc/hostname y.answer; mkfifo y.pipe
                        echo '{"method":"data.get","arguments":{"key":"k"}}' > y.new; mv y.new y.call
                        millrace-call data.get '{"key":"none"}'
                        """), "{}")).isEqualTo("\"null\"");
    }

    @Test
    void anErrorSaysHowItEnded() throws Exception {
        JobError error = error(bash("set -e\necho before\necho 'no such customer' >&2\nfalse\necho after"), "{}");

        assertThat(error.getName()).isEqualTo("ProcessExited");
        assertThat(error.getMessage()).contains("exited with code 1", "no such customer");
        assertThat(error(bash("exit 42"), "{}").getMessage()).contains("code 42");
    }

    @Test
    void logsArriveWhileItRuns() throws Exception {
        Path go = folder.resolve("go");
        Lease lease =
                fixture.lease(bash("echo out; echo err >&2; until [ -e '" + go + "' ]; do sleep 0.05; done"), "{}");
        fixture.session.lease(lease);

        assertThat(fixture.session.awaitLog(lease.getJobId(), "out")).isNotEmpty();
        fixture.session.awaitLog(lease.getJobId(), "err");
        Files.createFile(go);
        assertThat(fixture.session.awaitAndAcceptResult().getError().getMessage())
                .isEmpty();
    }

    @Test
    void itIsAskedToStopAndThenEndedWithAllThatItStarted() throws Exception {
        Path asked = folder.resolve("asked");
        Lease lease = fixture.lease(
                bash("trap \"touch '" + asked + "'\" TERM\nsetsid sleep 600 &\nwhile :; do sleep 600; done"), "{}");
        fixture.session.lease(TestLeases.withTimeoutMillis(lease, 500));

        JobResult result = fixture.session.awaitAndAcceptResult();

        assertThat(result.getError().getName()).isEqualTo("TimedOut");
        assertThat(asked).exists();
    }

    @Test
    void cancellationEndsIt() throws Exception {
        Lease lease = fixture.lease(bash("echo begun\nsleep 600"), "{}");
        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "begun");

        fixture.session.cancel(lease);

        // There is one slot: the next job begins only once the canceled one is gone.
        assertThat(result(bash("echo next"), "{}")).isEqualTo("\"next\"");
    }

    @Test
    void limitsHold() throws Exception {
        JobError processes = error(bash("# millrace: processes=8\nfor i in {1..20}; do sleep 600 & done\nwait"), "{}");
        assertThat(processes.getMessage()).contains("limit `processes` of 8");

        JobError cpu = error(bash("# millrace: cpu=300ms\nwhile :; do :; done"), "{}");
        assertThat(cpu.getMessage()).contains("limit `cpu` of 300 ms");

        JobError result = error(bash("# millrace: result=64B\nprintf 'x%.0s' {1..100}"), "{}");
        assertThat(result.getName()).isEqualTo("ResultTooLarge");
    }

    @Test
    void secretsAreMasked() throws Exception {
        fixture.scheduler.steps().resolveTo("/key", "hunter2-hunter3");
        String hash =
                bash("[ ${#key} = 15 ] && echo \"key: $key\"; echo \"$key\" >&2; echo \"{\\\"k\\\":\\\"$key\\\"}\"");
        Lease lease = TestLeases.withSecrets(fixture.lease(hash, "{\"key\":\"${{ secrets.key }}\"}"));
        fixture.session.lease(lease);

        JobResult result = fixture.session.awaitAndAcceptResult();

        assertThat(result.getResult().toStringUtf8()).isEqualTo("{\"k\":\"***\"}");
        assertThat(fixture.session.awaitLog(lease.getJobId(), "key: ***")).doesNotContain("hunter");
        assertThat(fixture.session.received().toString()).doesNotContain("hunter");
    }

    private static String result(String hash, String input) throws Exception {
        return fixture.result(hash, input);
    }

    private static JobError error(String hash, String input) throws Exception {
        JobResult result = fixture.run(hash, input);
        assertThat(result.getError().getMessage()).as("%s", result).isNotEmpty();
        return result.getError();
    }

    private static String bash(String content) {
        return fixture.scheduler.addScript("script" + ++scripts + ".sh", "bash", content);
    }
}
