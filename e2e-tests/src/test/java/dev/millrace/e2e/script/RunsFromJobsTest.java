package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that jobs in Python and TypeScript start and wait for. */
@ExtendWith(SharedInstallation.class)
final class RunsFromJobsTest {
    @BeforeEach
    void deploy(Api api) {
        api.deployScript("starts/double.py", """
                def main(n: int):
                    if n < 0:
                        raise ValueError("no negative numbers")
                    return n * 2
                """);
        api.deployFlow("""
                millrace: v1
                name: starts/adds
                inputs: {n: {type: integer}}
                steps:
                  - id: add
                    script: add.py
                    input: {n: "${{ inputs.n }}"}
                """, Map.of("add.py", "def main(n):\n    return n + 1\n"));
    }

    @Test
    void jobsInPythonAndTypeScriptGetResultsAndErrors(Api api) {
        api.deployFlow("""
                millrace: v1
                name: starts/caller
                steps:
                  - id: python
                    script: caller.py
                  - id: deno
                    script: caller.ts
                output: ["${{ steps.python.result }}", "${{ steps.deno.result }}"]
                """, Map.of("caller.py", """
                from millrace import RunFailed, RunTimeout, current

                def main():
                    runs = current().runs
                    ids = [runs.start(script="starts/double.py", input={"n": n}) for n in (1, 2, 1)]
                    results = [runs.result(run) for run in ids] + [runs.run(flow="starts/adds", input={"n": 3})]
                    try:
                        runs.run(script="starts/double.py", input={"n": -1})
                    except RunFailed as failure:
                        results.append([failure.state, failure.error])
                    later = runs.start(flow="starts/adds", input={"n": 5}, key="later", tag="")
                    assert later == runs.start(flow="starts/adds", input={"n": 6}, key="later")
                    runs.wait(later)
                    runs.cancel(later)
                    return results + [len(set(ids)), runs.get(later).state]
                """, "caller.ts", """
                import { current, RunFailed } from "millrace";

                export async function main() {
                  const { runs } = current();
                  const ids = await Promise.all([1, 2, 1].map((n) =>
                    runs.start({ script: "starts/double.py", input: { n } })
                  ));
                  const results: unknown[] = await Promise.all(ids.map((id) => runs.result(id)));
                  results.push(await runs.run({ flow: "starts/adds", input: { n: 3 } }));
                  try {
                    await runs.run({ script: "starts/double.py", input: { n: -1 } });
                  } catch (error) {
                    if (error instanceof RunFailed) results.push([error.state, error.error]);
                  }
                  const canceled = await runs.start({
                    script: "starts/double.py",
                    input: { n: 9 },
                    runAfter: new Date(Date.now() + 3_600_000),
                  });
                  results.push(await runs.wait(canceled, { timeout: 0 }));
                  await runs.cancel(canceled, "no longer needed");
                  return [...results, new Set(ids).size, (await runs.get(canceled)).state];
                }
                """));

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "starts/caller")));

        assertThat(run.path("output").path(0).toString())
                .as("%s", run)
                .isEqualTo("[2,4,2,4,[\"failed\",[\"ValueError\",\"no negative numbers\"]],3,\"succeeded\"]");
        assertThat(run.path("output").path(1).toString())
                .isEqualTo("[2,4,2,4,[\"failed\",{\"name\":\"ValueError\",\"message\":\"no negative numbers\"}],"
                        + "false,3,\"canceled\"]");
    }

    @Test
    void anAttemptThatLostItsProcessWhileItWaitedGoesOnWithTheSameRun(Api api) {
        api.deployFlow("""
                millrace: v1
                name: starts/once
                steps:
                  - id: waits
                    wait: {signal: go}
                """, Map.of());
        api.deployFlow("""
                millrace: v1
                name: starts/dies
                steps:
                  - id: dies
                    script: dies.py
                    retry: {max_retries: 1, delay: 10ms}
                """, Map.of("dies.py", """
                import os, signal, threading

                def main(ctx):
                    run = ctx.runs.start(flow="starts/once")
                    before = ctx.data.get("run")
                    ctx.data.set("run", run)
                    if ctx.attempt == 1:
                        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
                    ctx.runs.wait(run, timeout=0 if ctx.attempt == 2 else None)
                    return [run, before]
                """));

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "starts/dies")));

        JsonNode output = run.path("output");
        assertThat(output.path(0).asText())
                .as("%s", run)
                .isNotEmpty()
                .isEqualTo(output.path(1).asText());
        JsonNode started = api.run(output.path(0).asText());
        assertThat(started.path("origin").path("run_id").asText())
                .isEqualTo(run.path("id").asText());
        api.cancel(started.path("id").asText(), "The test is over.").ok();
    }

    @Test
    void theEndOfAJobEndsItsWait(Api api) {
        api.deployFlow("""
                millrace: v1
                name: starts/never
                steps:
                  - id: waits
                    wait: {signal: never}
                """, Map.of());
        api.deployFlow("""
                millrace: v1
                name: starts/late
                steps:
                  - id: late
                    script: late.py
                    timeout: 1s
                """, Map.of("late.py", """
                def main(ctx):
                    run = ctx.runs.start(flow="starts/never")
                    try:
                        ctx.runs.wait(run)
                    finally:
                        print("waited")
                """));

        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "starts/late")));

        assertThat(run.path("state").asText()).isEqualTo("failed");
        assertThat(run.path("error").toString()).as("%s", run).contains("TimedOut");
    }
}
