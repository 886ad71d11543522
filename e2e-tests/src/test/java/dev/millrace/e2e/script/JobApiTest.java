package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Calls that a running script can make: data of its run, mutexes, traces, and keys that all its attempts share. */
@ExtendWith(SharedInstallation.class)
final class JobApiTest {
    @Test
    void stepsShareDataAcrossLanguagesAndAttempts(Api api) {
        api.deployFlow("""
                millrace: v1
                name: tools/data
                steps:
                  - id: write
                    script: write.py
                    retry: {max_retries: 1, delay: 10ms}
                  - id: read
                    script: read.ts
                """, Map.of("write.py", """
                def main(ctx):
                    attempts = ctx.data.get("attempts", 0) + 1
                    ctx.data.set("attempts", attempts)
                    if attempts == 1:
                        raise ValueError("once more")
                    ctx.data.set("by", "python")
                """, "read.ts", """
                import type { Context } from "millrace";
                export async function main(ctx: Context) {
                  return [await ctx.data.get("attempts"), await ctx.data.get("by"), await ctx.data.get("never") ?? null];
                }
                """));

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "tools/data")));

        assertThat(run.path("output").toString()).as("output of %s", run).isEqualTo("[2,\"python\",null]");
    }

    @Test
    void oneJobAtATimeHoldsAMutex(Api api) {
        // Each job adds one by reading, waiting and writing: without the mutex some additions would be lost.
        api.deployFlow("""
                millrace: v1
                name: tools/count
                inputs:
                  jobs: {type: array}
                steps:
                  - id: add
                    for_each: ${{ inputs.jobs }}
                    parallelism: 6
                    script: add.py
                  - id: total
                    script: total.ts
                """, Map.of("add.py", """
                import time

                def main(ctx):
                    with ctx.lock("tools-count", ttl=60):
                        with ctx.lock("tools-count"):
                            count = ctx.data.get("count", 0)
                            time.sleep(0.01)
                            ctx.data.set("count", count + 1)
                """, "total.ts", """
                import type { Context } from "millrace";
                export async function main(ctx: Context) {
                  await using _ = await ctx.lock("tools-count", { wait: 0 });
                  return await ctx.data.get("count");
                }
                """));
        int[] jobs = IntStream.range(0, 12).toArray();

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "tools/count"), "input", Map.of("jobs", jobs)));

        assertThat(run.path("output").asInt()).as("output of %s", run).isEqualTo(jobs.length);
    }

    @Test
    void everyAttemptOfAStepKnowsTheSameKeys(Api api) {
        api.deployFlow("""
                millrace: v1
                name: tools/keys
                steps:
                  - id: first
                    script: keys.py
                    retry: {max_retries: 1, delay: 10ms}
                  - id: second
                    script: keys.ts
                output: [ "${{ steps.first.result }}", "${{ steps.second.result }}", "${{ run.id }}" ]
                """, Map.of("keys.py", """
                def main(ctx):
                    keys = [ctx.step_token, ctx.idempotency_key]
                    if ctx.attempt == 1:
                        ctx.data.set("keys", keys)
                        raise ValueError("once more")
                    assert ctx.data.get("keys") == keys
                    ctx.trace("seen twice")
                    return keys
                """, "keys.ts", """
                import type { Context } from "millrace";
                export function main(ctx: Context) {
                  ctx.trace("seen once");
                  return [ctx.stepToken, ctx.idempotencyKey];
                }
                """));

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "tools/keys")));

        JsonNode output = run.path("output");
        String runId = output.path(2).asText();
        assertThat(output.path(0).path(0).asText()).as("output of %s", run).isEqualTo(runId + "/first");
        assertThat(output.path(1).path(0).asText()).isEqualTo(runId + "/second");
        assertThat(output.path(0).path(1).asText())
                .hasSize(36)
                .isNotEqualTo(output.path(1).path(1).asText());
        assertThat(api.logText(runId, "trace")).isEqualTo("seen twice\nseen once\n");
    }
}
