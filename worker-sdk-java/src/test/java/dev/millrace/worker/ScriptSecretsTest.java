package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ResolveSecretsRequest;
import dev.millrace.worker.testing.FakeJobApi;
import dev.millrace.worker.testing.TestLeases;
import io.grpc.protobuf.StatusProto;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of jobs in real processes. */
final class ScriptSecretsTest {
    private static final String SECRET = "hunter2/hunter3+hunter4";
    private static final String INPUT = "{\"key\":\"${{ secrets.shop.api_key }}\"}";

    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private ScriptWorkerFixture fixture;
    private FakeJobApi scheduler;

    @BeforeEach
    void start() throws Exception {
        fixture = new ScriptWorkerFixture(folder);
        scheduler = fixture.scheduler.steps();
        scheduler.resolveTo("/key", SECRET);
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
    }

    private Lease lease(String script) {
        return TestLeases.withSecrets(fixture.lease(script, INPUT));
    }

    private JobResult run(Lease lease) throws InterruptedException {
        fixture.session.lease(lease);
        return fixture.session.awaitAndAcceptResult();
    }

    private void assertNothingReadable() {
        assertThat(fixture.session.received() + scheduler.requests(Object.class).toString())
                .doesNotContain("hunter", "68756e746572", "aHVudGVy", "h1bnRlc", "odW50ZX");
    }

    @Test
    void pythonGetsTheSecretAndShowsItToNobody() throws Exception {
        String script = fixture.scheduler.addScript("a.py", """
                import base64, json, sys, urllib.parse
                def main(key, ctx):
                    assert key == "hunter2/hunter3+" + "hunter4"
                    for c in "It is " + key + ".\\n":
                        sys.stdout.write(c)
                        sys.stdout.flush()
                        print("x", file=sys.stderr)
                    print(key.encode().hex(), base64.b64encode(b"me:" + key.encode()).decode())
                    print(urllib.parse.quote_plus(key), json.dumps({"k": key}).replace("/", "\\\\/"))
                    ctx.trace(key)
                    ctx.data.set("k " + key, {key: [key]})
                    return {"key": key, key: 1, "header": "Basic " + base64.b64encode(b"u:" + key.encode()).decode()}
                """);
        Lease lease = lease(script);

        JobResult result = run(lease);

        assertThat(result.getError().getMessage()).isEmpty();
        assertThat(result.getResult().toStringUtf8()).startsWith("{\"key\":\"***\",\"***\":1,\"header\":\"Basic ");
        assertThat(fixture.session.log(lease.getJobId()).replace("x\n", "")).contains("It is ***.\n");
        assertNothingReadable();
    }

    @Test
    void denoGetsTheSecretAndShowsItToNobody() throws Exception {
        String script = fixture.scheduler.addScript("a.ts", """
                import type { Context } from "millrace";
                export async function main(key: string, ctx: Context) {
                  if (key !== "hunter2/hunter3+" + "hunter4") throw new Error("wrong");
                  console.log(key, { key }, encodeURIComponent(key), btoa("me:" + key));
                  console.error(JSON.stringify(key));
                  await ctx.data.set("k", key);
                  class MyError extends Error { override name = "No" + key; }
                  throw new MyError("Cannot use " + key);
                }
                """);

        JobResult result = run(lease(script));

        assertThat(result.getError().getMessage()).isEqualTo("Cannot use ***");
        assertThat(result.getError().getName()).isEqualTo("No***");
        assertNothingReadable();
    }

    @Test
    void refusesCallsThatNameASecret() throws Exception {
        String script = fixture.scheduler.addScript("names.py", """
                import millrace
                def main(key):
                    job = millrace.current()
                    refused = []
                    for call in (
                        lambda: job.runs.start(script="a.py", tag=key),
                        lambda: job.runs.start(script="x/" + key),
                        lambda: job.secrets.get("x/" + key),
                        lambda: job.resources.get(key),
                    ):
                        try:
                            call()
                            refused.append("no")
                        except Exception as failure:
                            refused.append("secret" if "contains a secret" in str(failure) else str(failure))
                    return refused
                """);

        JobResult result = run(lease(script));

        assertThat(result.getError().getMessage()).isEmpty();
        assertThat(result.getResult().toStringUtf8()).isEqualTo("[\"secret\",\"secret\",\"secret\",\"secret\"]");
        assertNothingReadable();
    }

    @Test
    void masksWhatAnEarlierJobLeftBehind() throws Exception {
        String script = fixture.scheduler.addScript("late.py", """
                import threading, time
                kept = []
                def main(key):
                    if not kept:
                        kept.append(key)
                        return None
                    print("late", kept[0])
                    return kept[0]
                """);

        run(lease(script));
        Lease second = fixture.lease(script, "{\"key\":\"nothing\"}");
        JobResult result = run(second);

        assertThat(result.getResult().toStringUtf8()).isEqualTo("\"***\"");
        assertThat(fixture.session.log(second.getJobId())).isEqualTo("late ***\n");
        assertThat(scheduler.requests(ResolveSecretsRequest.class)).hasSize(1);
    }

    @Test
    void masksWhatAnEndingProcessPrints() throws Exception {
        String script = fixture.scheduler.addScript("exit.ts", """
                export function main(key: string) {
                  queueMicrotask(() => { throw new Error(key); });
                  return new Promise(() => {});
                }
                """);

        JobResult result = run(lease(script));

        assertThat(result.hasError()).isTrue();
        assertNothingReadable();
    }

    @Test
    void resolvesNoSecretBeforeItsJobBegins() throws Exception {
        Path go = folder.resolve("go");
        String script = fixture.scheduler.addScript("wait.py", """
                import os, time
                def main(key):
                    print("begun")
                    while not os.path.exists(%s):
                        time.sleep(0.01)
                """.formatted("\"" + go + "\""));
        // Short jobs, so that others may wait in the pipe.
        Files.createFile(go);
        for (int i = 0; i < 4; i++) {
            run(lease(script));
        }
        Files.delete(go);
        Lease first = lease(script);

        fixture.session.lease(first, lease(script), fixture.lease(script, INPUT));
        fixture.session.awaitLog(first.getJobId(), "begun");

        assertThat(scheduler.requests(ResolveSecretsRequest.class)).hasSize(5);
        Files.createFile(go);
        for (int i = 0; i < 3; i++) {
            assertThat(fixture.session.awaitAndAcceptResult().hasResult()).isTrue();
        }
        assertThat(scheduler.requests(ResolveSecretsRequest.class)).hasSize(6);
    }

    @Test
    void failsWithTheReasonOfTheScheduler() throws Exception {
        String script = fixture.scheduler.addScript("a.py", "def main(key):\n    return 1\n");
        scheduler.refuseSecrets(StatusProto.toStatusRuntimeException(Status.newBuilder()
                .setCode(Code.FAILED_PRECONDITION_VALUE)
                .setMessage("There is no secret shop/api_key.")
                .addDetails(Any.pack(
                        ErrorInfo.newBuilder().setReason("SECRET_UNAVAILABLE").build()))
                .build()));

        JobResult result = run(lease(script));

        assertThat(result.getError().getName()).isEqualTo("SecretUnavailable");
        assertThat(result.getError().getMessage()).isEqualTo("There is no secret shop/api_key.");
        assertThat(result.getError().getRetryable()).isFalse();
        assertThat(fixture.result(script, INPUT)).isEqualTo("1");
    }

    @Test
    void asksAgainWhileAStoreOfSecretsDoesNotAnswer() throws Exception {
        String script = fixture.scheduler.addScript("a.py", "def main(key):\n    return len(key)\n");
        scheduler.loseAnswers(2);

        assertThat(run(lease(script)).getResult().toStringUtf8()).isEqualTo("" + SECRET.length());
    }

    @Test
    void failsIfNoStoreAnswersInTime() throws Exception {
        String script = fixture.scheduler.addScript("a.py", "def main(key):\n    return len(key)\n");
        scheduler.loseAnswers(100);

        JobResult result = run(TestLeases.withTimeoutMillis(lease(script), 500));

        assertThat(result.getError().getName()).isEqualTo("SecretUnavailable");
        assertThat(result.getError().getRetryable()).isTrue();
    }

    @Test
    void aCanceledJobWaitsForNoSecret() throws Exception {
        String script = fixture.scheduler.addScript("a.py", "def main(key):\n    return 1\n");
        assertThat(fixture.result(script, INPUT)).isEqualTo("1");
        scheduler.holdSecrets(true);
        Lease lease = lease(script);
        fixture.session.lease(lease);
        scheduler.awaitSecretsRequest();

        fixture.session.cancel(lease);

        assertThat(fixture.result(script, INPUT)).isEqualTo("1");
    }

    @Test
    void failsIfTheInputHasNoSuchPlace() throws Exception {
        String script = fixture.scheduler.addScript("a.py", "def main(key):\n    return 1\n");
        scheduler.resolveTo("/other", SECRET);

        JobResult result = run(lease(script));

        assertThat(result.getError().getMessage())
                .isEqualTo("The secrets of the job cannot be used: the input has no place /other.");
        assertThat(result.getError().getRetryable()).isFalse();
        assertNothingReadable();
    }

    @Test
    void refusesSecretsThatAreTooLargeToMask() throws Exception {
        String script = fixture.scheduler.addScript("a.py", "def main(key):\n    return 1\n");
        scheduler.resolveTo("/key", "k+/ y".repeat(1 << 18));

        JobResult result = run(lease(script));

        assertThat(result.getError().getMessage()).contains("too large to be masked");
    }

    @Test
    void aNewProcessTakesTheJobIfTheOldOneHasSeenTooManySecrets() throws Exception {
        String script = fixture.scheduler.addScript("pid.py", "import os\ndef main(key):\n    return os.getpid()\n");
        String large = "k+/ y".repeat(6_000);
        String first = run(lease(script)).getResult().toStringUtf8();
        String last = first;
        for (int i = 0; i < 8 && last.equals(first); i++) {
            scheduler.resolveTo("/key", large + i + large);
            last = run(lease(script)).getResult().toStringUtf8();
        }

        assertThat(last).isNotEqualTo(first).matches("\\d+");
    }
}
