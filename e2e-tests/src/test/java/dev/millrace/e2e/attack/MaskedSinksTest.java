package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Walks the list of what a job can hand to its worker, as docs/reference/masking.md has it, but for spans, and puts a
 * secret into each place: texts, keys, names and numbers. Nobody can read it anywhere afterwards. Whatever a job can
 * hand over anew belongs here, too. The ways to spell a secret are those of {@link SpilledSecretsTest}.
 */
@ExtendWith(SharedInstallation.class)
final class MaskedSinksTest {
    /** Letters of several planes of Unicode, and signs that JSON and addresses must escape. */
    private static final SpilledSecret TEXT =
            new SpilledSecret("text", "Z\u00fcrich/horse+\ud835\udcb3\ud83d\udc0e \"battery\" staple", "plain", 0);

    private static final SpilledSecret NUMBER = new SpilledSecret("number", "4111222233334444", "plain", 0);

    /** So many calls of each script have a secret where none may be. */
    private static final int REFUSALS = 8;

    private static final String SINKS_PY = """
            import logging, os, sys, threading, warnings
            import millrace
            from millrace import blobs

            def main(key: str, number: str, ctx):
                card = int(number)
                both = {"text": key, key: [key, {key: key}], "number": card, "list": [number, [card]]}
                print(key, number, both)
                print(key.encode().hex(), ascii(key), file=sys.stderr)
                os.write(1, key.encode() + b"\\n")
                logging.getLogger(key).error("%s %r", key, both)
                ctx.logger.warning("said " + key)
                warnings.warn(key)
                ctx.trace(key)
                ctx.progress(both)
                ctx.data.set(key, both)
                ctx.data.set("plain", both)
                thread = threading.Thread(target=lambda: print(key), name=key)
                thread.start()
                thread.join()
                with ctx.lock(key, ttl=5):
                    pass
                blobs.put(b"nothing", media_type=key)
                started = ctx.runs.start(script="sinks/child.py", key=key)
                ctx.runs.result(started)
                ctx.runs.cancel(ctx.runs.start(flow="sinks/waits"), reason=key)
                refusals = []
                for call in (
                    lambda: ctx.state.set(both),
                    lambda: ctx.resources.set("sinks/made", {"a": [key]}),
                    lambda: ctx.resources.set("sinks/" + key, {}),
                    lambda: ctx.secrets.get("sinks/" + key),
                    lambda: ctx.runs.start(script="sinks/" + key),
                    lambda: ctx.runs.start(script="sinks/child.py", tag=key),
                    lambda: ctx.runs.start(script="sinks/child.py", input={"n": both}),
                    lambda: ctx.runs.get(key),
                ):
                    try:
                        call()
                    except millrace.CallFailed as refusal:
                        refusals.append(str(refusal))
                return {"both": both, "refusals": refusals}
            """;

    private static final String SINKS_TS = """
            import type { Context } from "millrace";

            export async function main(key: string, number: string, ctx: Context) {
              const card = Number(number);
              const both = { text: key, [key]: [key, { [key]: key }], number: card, list: [number, [card]] };
              console.log("%s", key, number, both);
              console.error(JSON.stringify(both), encodeURIComponent(key));
              console.table([both]);
              console.group(key);
              console.groupEnd();
              ctx.trace(key);
              ctx.progress(both);
              await ctx.data.set(key, both);
              await ctx.data.set("plain", both);
              { await using _ = await ctx.lock(key, { ttl: 5 }); }
              await ctx.runs.result(await ctx.runs.start({ script: "sinks/child.py", key }));
              await ctx.runs.cancel(await ctx.runs.start({ flow: "sinks/waits" }), key);
              const refusals: string[] = [];
              for (const call of [
                () => ctx.state.set(both),
                () => ctx.resources.set("sinks/made", { a: [key] }),
                () => ctx.resources.set("sinks/" + key, {}),
                () => ctx.secrets.get("sinks/" + key),
                () => ctx.runs.start({ script: "sinks/" + key }),
                () => ctx.runs.start({ script: "sinks/child.py", tag: key }),
                () => ctx.runs.start({ script: "sinks/child.py", input: { n: both } }),
                () => ctx.runs.get(key),
              ]) {
                try {
                  await call();
                } catch (refusal) {
                  refusals.push(String(refusal));
                }
              }
              return { both, refusals };
            }
            """;

    private static final String THROWS_PY = """
            def main(key: str, number: str):
                error = type("Lost" + key, (Exception,), {})(f"no {key} and {number}")
                error.add_note(key) if hasattr(error, "add_note") else None
                raise error from KeyError(key)
            """;

    private static final String THROWS_TS = """
            export function main(key: string, number: string) {
              const error = new Error(`no ${key} and ${number}`, { cause: new TypeError(key) });
              error.name = "Lost" + key;
              throw error;
            }
            """;

    private static final String FLOW = """
            millrace: v1
            name: sinks/all
            steps:
              - {id: python, script: sinks.py, input: {key: "${{ secrets.sinks.text }}", number: "${{ secrets.sinks.number }}"}}
              - {id: deno, script: sinks.ts, input: {key: "${{ secrets.sinks.text }}", number: "${{ secrets.sinks.number }}"}}
              - {id: handed, value: {of: "${{ steps.python.result }}"}}
            output: "${{ [steps.python.result, steps.deno.result, steps.handed.result] }}"
            """;

    private static final String FAILS = """
            millrace: v1
            name: sinks/%1$s
            failure_flow: sinks/handles
            steps:
              - {id: a, script: throws.%2$s, input: {key: "${{ secrets.sinks.text }}", number: "${{ secrets.sinks.number }}"}}
            """;

    @Test
    void nobodyReadsASecretThatAJobHandsOver(Installation installation) throws Exception {
        Api api = installation.api();
        List<String> leaks = Collections.synchronizedList(new ArrayList<>());
        Needles needles = new Needles(List.of(TEXT, NUMBER));
        VisibleTexts visible = new VisibleTexts(
                installation,
                (where, text) -> needles.findIn(text).ifPresent(found -> leaks.add(where + ": " + found)));
        for (SpilledSecret secret : List.of(TEXT, NUMBER)) {
            api.put("/api/v1/secrets/sinks/" + secret.name(), Map.of("value", secret.value()))
                    .ok();
        }
        api.deployScript("sinks/child.py", "def main(n=1):\n    return n\n");
        api.deployFlow("""
                millrace: v1
                name: sinks/waits
                steps: [{id: a, wait: {approval: go_on}}]
                """, Map.of());
        api.deployFlow("""
                millrace: v1
                name: sinks/handles
                open_inputs: true
                steps: [{id: a, value: "${{ inputs }}"}]
                output: "${{ steps.a.result }}"
                """, Map.of());
        api.deployFlow(FLOW, Map.of("sinks.py", SINKS_PY, "sinks.ts", SINKS_TS));
        api.deployFlow(FAILS.formatted("python", "py"), Map.of("throws.py", THROWS_PY));
        api.deployFlow(FAILS.formatted("deno", "ts"), Map.of("throws.ts", THROWS_TS));

        JsonNode all = api.runToEnd(Map.of("target", Map.of("flow", "sinks/all")));
        JsonNode python = api.runToEnd(Map.of("target", Map.of("flow", "sinks/python")));
        JsonNode deno = api.runToEnd(Map.of("target", Map.of("flow", "sinks/deno")));

        assertThat(all.path("state").asText()).as("%s", all).isEqualTo("succeeded");
        for (int language = 0; language < 2; language++) {
            assertThat(all.path("output").path(language).path("refusals"))
                    .as("%s", all)
                    .hasSize(REFUSALS)
                    .allSatisfy(refusal -> assertThat(refusal.asText()).contains("secret"));
        }
        for (JsonNode failed : List.of(python, deno)) {
            assertThat(failed.path("error").toString()).contains("no *** and ***");
        }
        List<String> runs = new ArrayList<>();
        for (JsonNode run : api.get("/api/v1/runs?page_size=1000").ok().path("items")) {
            if (run.path("name").asText().startsWith("sinks/")) {
                runs.add(run.path("id").asText());
            }
        }
        assertThat(runs).as("with what they have started").hasSizeGreaterThan(6);
        visible.rest(runs, List.of("sinks/all", "sinks/python", "sinks/deno", "sinks/handles"));
        ManagedChannel channel = ManagedChannelBuilder.forTarget(
                        installation.cluster().schedulerAddress(0))
                .usePlaintext()
                .build();
        try {
            for (String run : runs) {
                visible.grpc(channel, run, "sinks/all");
            }
        } finally {
            channel.shutdownNow();
        }
        visible.database();
        visible.files();
        assertThat(leaks.stream().limit(20)).isEmpty();
    }
}
