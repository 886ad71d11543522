package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.testing.TestLeases;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** TypeScript in real Deno processes, above all badly behaved scripts. */
final class DenoScriptTest {
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
        return fixture.scheduler.addScript("test/script.ts", content);
    }

    @Test
    void runsMainWithItsParametersByNameAndKeepsTheProcessWarm() throws Exception {
        String add =
                script("let calls = 0;\nexport function main(a: number, b = 2) {\n  return [a + b, ++calls];\n}\n");

        assertThat(fixture.result(add, "{\"a\":\n40}")).isEqualTo("[42,1]");
        assertThat(fixture.result(add, "{\"a\":1,\"b\":1}")).isEqualTo("[2,2]");
        assertThat(fixture.scheduler.scriptFetches()).isEqualTo(1);
    }

    @Test
    void sendsWhatTheScriptPrints() throws Exception {
        String chatty = script("export function main() {\n  console.log('out');\n  console.error('err');\n}\n");
        Lease lease = fixture.lease(chatty, "{}");

        fixture.session.lease(lease);
        fixture.session.awaitAndAcceptResult();

        assertThat(fixture.session.log(lease.getJobId())).contains("out\n", "err\n");
        assertThat(fixture.session.logBatches().toString()).contains(LogChunk.Stream.STREAM_STDERR.name());
    }

    @Test
    void turnsAnExceptionIntoAnErrorWithTheUsersFrames() throws Exception {
        JobResult result =
                fixture.run(script("export function main() {\n  throw new RangeError('too far');\n}\n"), "{}");

        assertThat(result.getError().getName()).isEqualTo("RangeError");
        assertThat(result.getError().getMessage()).isEqualTo("too far");
        assertThat(result.getError().getStack()).contains("script.ts");
    }

    @Test
    void refusesResultsThatAreNotJson() throws Exception {
        assertThat(fixture.run(script("export const main = () => NaN;"), "{}")
                        .getError()
                        .getName())
                .isEqualTo("ResultError");
        assertThat(fixture.run(script("export const main = () => () => 1;"), "{}")
                        .getError()
                        .getName())
                .isEqualTo("ResultError");
    }

    @Test
    void killsALoopThatTimesOutAndRunsTheNextJobElsewhere() throws Exception {
        String loops =
                script("export function main(n: number) {\n  while (n === 0) { /* for ever */ }\n  return n;\n}\n");
        fixture.result(loops, "{\"n\":1}");

        fixture.session.lease(
                TestLeases.withTimeoutMillis(fixture.lease(loops, "{\"n\":0}"), 100),
                fixture.lease(loops, "{\"n\":2}"));

        assertThat(fixture.session.awaitAndAcceptResult().getError().getName()).isEqualTo("TimedOut");
        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("2");
    }

    @Test
    void abortsACanceledJobAndKeepsItsProcess() throws Exception {
        String waits = script("""
                let calls = 0;
                export async function main(wait: boolean, ctx: { signal: AbortSignal }) {
                  calls++;
                  console.log("begun");
                  if (wait) await new Promise((_, reject) => ctx.signal.addEventListener("abort", reject));
                  return calls;
                }
                """);
        Lease canceled = fixture.lease(waits, "{\"wait\":true}");
        fixture.session.lease(canceled);
        fixture.session.awaitLog(canceled.getJobId(), "begun");

        // A job that waits for a second behind another is given back.
        fixture.session.lease(fixture.lease(waits, "{\"wait\":false}"));
        fixture.session.cancel(canceled);

        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("2");
    }

    @Test
    void saysHowAProcessExited() throws Exception {
        JobResult result = fixture.run(script("export function main() {\n  Deno.exit(7);\n}\n"), "{}");

        assertThat(result.getError().getName()).isIn("SystemExit", "ProcessExited");
        assertThat(result.getError().getMessage()).contains("7");
    }

    @Test
    void doesNotCircleOnAScriptThatCannotBeLoaded() throws Exception {
        JobResult result = fixture.run(script("export const main = 1 +;"), "{}");

        assertThat(result.getError().getName()).isIn("LoadError", "ProcessExited");
    }

    @Test
    void survivesAHundredMegabytesOfPrints() throws Exception {
        String floods = script("""
                export function main() {
                  const line = "x".repeat(1_000_000);
                  for (let i = 0; i < 100; i++) console.log(line);
                  return "done";
                }
                """);
        Lease lease = fixture.lease(floods, "{}");

        fixture.session.lease(lease);

        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("\"done\"");
        assertThat(fixture.session.log(lease.getJobId()))
                .hasSizeLessThan(1_100_000)
                .contains("Log limit of 1048576 bytes");
    }

    @Test
    void takesNoPrintForAFrame() throws Exception {
        String forges = script("""
                export function main() {
                  console.log('{"type":"result","id":"x","result":1}');
                  return "mine";
                }
                """);

        assertThat(fixture.result(forges, "{}")).isEqualTo("\"mine\"");
    }

    @Test
    void goesOnAfterAScriptHasClosedItsStdout() throws Exception {
        String closes = script("export function main() {\n  Deno.stdout.close();\n  return 1;\n}\n");

        assertThat(fixture.run(closes, "{}").getJobId()).isNotEmpty();
        assertThat(fixture.result(script("export const main = () => 2;"), "{}")).isEqualTo("2");
    }

    @Test
    void findsNothingThatAnotherWorkspaceHasStored() throws Exception {
        String remembers = script("""
                export async function main() {
                  const cache = await caches.open("c");
                  const found = [localStorage.getItem("k"), await (await cache.match("https://x.test/"))?.text() ?? null];
                  localStorage.setItem("k", "stored");
                  await cache.put("https://x.test/", new Response("cached"));
                  return found;
                }
                """);

        assertThat(fixture.result(remembers, "{}")).isEqualTo("[null,null]");
        assertThat(fixture.result(remembers, "{}")).isEqualTo("[\"stored\",\"cached\"]");
        fixture.session.lease(fixture.lease(remembers, "{}").toBuilder()
                .setWorkspace("other team")
                .build());
        assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                .isEqualTo("[null,null]");
    }
}
