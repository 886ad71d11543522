package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.worker.v1.AcquireLockRequest;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.ReleaseLockRequest;
import dev.millrace.worker.testing.TestLeases;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Calls that scripts in real processes can make while they run. */
final class ScriptToolsTest {
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

    @Test
    void pythonAndDenoShareDataAndKeys() throws Exception {
        String python = fixture.scheduler.addScript("a.py", """
                def main(ctx):
                    ctx.data.set("k", {"text": "a\\nb", "big": 2**70})
                    return [ctx.step_token, ctx.idempotency_key]
                """);
        String deno = fixture.scheduler.addScript("b.ts", """
                import type { Context } from "millrace";
                export async function main(ctx: Context) {
                  const { text } = await ctx.data.get("k") as { text: string };
                  console.log(text);
                  return [ctx.stepToken, ctx.idempotencyKey];
                }
                """);

        String keys = fixture.result(python, "{}");
        Lease lease = fixture.lease(deno, "{}");
        fixture.session.lease(lease);
        JobResult result = fixture.session.awaitAndAcceptResult();

        assertThat(keys).startsWith("[\"run/\",\"").hasSize(47);
        assertThat(result.getResult().toStringUtf8()).isEqualTo(keys);
        assertThat(fixture.session.log(lease.getJobId())).isEqualTo("a\nb\n");
    }

    @Test
    void theLogHasTheProgress() throws Exception {
        for (String script : List.of(
                fixture.scheduler.addScript(
                        "a.py", "def main(ctx):\n    for i in range(1000): ctx.progress({'done': 3})\n"),
                fixture.scheduler.addScript(
                        "b.js",
                        "export function main(ctx) { for (let i = 0; i < 1000; i++) ctx.progress({ done: 3 }); }"))) {
            Lease lease = fixture.lease(script, "{}");
            fixture.session.lease(lease);
            fixture.session.awaitAndAcceptResult();

            assertThat(fixture.session.log(lease.getJobId()).lines())
                    .hasSizeBetween(1, 10)
                    .containsOnly("progress: {\"done\":3}");
        }
    }

    @Test
    void aLockIsGivenBackUnderTheSameHold() throws Exception {
        fixture.scheduler.steps().beBusy(1);
        String script = fixture.scheduler.addScript("lock.py", """
                def main(ctx):
                    with ctx.lock("m", ttl=60) as lock:
                        return lock.fence
                """);

        assertThat(fixture.result(script, "{}")).isEqualTo("7");

        var asked = fixture.scheduler.steps().requests(AcquireLockRequest.class);
        assertThat(asked).hasSize(2);
        assertThat(asked.get(0).getTtl().getSeconds()).isEqualTo(60);
        assertThat(fixture.scheduler.steps().requests(ReleaseLockRequest.class))
                .extracting(ReleaseLockRequest::getHoldId)
                .containsExactly(asked.get(0).getHoldId());
    }

    @Test
    void runsJobsOfThePipeThatAskForData() throws Exception {
        String script = fixture.scheduler.addScript("count.py", """
                def main(n, ctx):
                    ctx.data.set("n", n)
                    return ctx.data.get("n")
                """);
        // As many at a time as the worker requests, so that it returns none.
        for (int from = 0; from < 50; from += 4) {
            fixture.session.lease(IntStream.range(from, from + 4)
                    .mapToObj(i -> fixture.lease(script, "{\"n\":" + i + "}"))
                    .toArray(Lease[]::new));
            for (int i = from; i < from + 4; i++) {
                JobResult result = fixture.session.awaitAndAcceptResult();
                assertThat(result.getResult().toStringUtf8()).as("%s", result).isEqualTo("" + i);
            }
        }
    }

    @Test
    void aProcessThatReadsNoAnswersHoldsUpNobody() throws Exception {
        String deaf = fixture.scheduler.addScript("deaf.ts", """
                import type { Context } from "millrace";
                export async function main(ctx: Context) {
                  await ctx.data.set("k", "x".repeat(200_000));
                  for (let i = 0; i < 20; i++) ctx.data.get("k").catch(() => {});
                  console.log("deaf");
                  for (;;);
                }
                """);
        String other = fixture.scheduler.addScript("other.py", "def main():\n    return 1\n");
        Lease lease = TestLeases.withTimeoutMillis(fixture.lease(deaf, "{}"), 3_000);

        fixture.session.lease(lease);
        fixture.session.awaitLog(lease.getJobId(), "deaf");
        JobResult result = fixture.session.awaitAndAcceptResult();

        assertThat(result.getError().getMessage()).contains("its timeout of 3 s");
        assertThat(fixture.result(other, "{}")).isEqualTo("1");
    }
}
