package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Message;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.Seed;
import dev.millrace.e2e.support.SharedInstallation;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Attacks 21 and 22: scripts write random secrets in random encodings, over several lines, cut into pieces at all
 * places, into their logs, results, data and exceptions. Nobody can read a part of them anywhere.
 */
@ExtendWith(SharedInstallation.class)
@Tag("nightly")
final class SpilledSecretsTest {
    private static final int PYTHON_SECRETS = 140;
    private static final int DENO_SECRETS = 60;

    /** So many of the secrets also stand in the exceptions, whose length is limited. */
    private static final int THROWN = 40;

    private static final int SEARCHES = 20;
    private static final int LEAKS_SHOWN = 20;

    /** Pieces get frames of their own if they are further apart than two looks of the process at its output. */
    private static final String PYTHON = """
            import base64, json, os, sys, time, urllib.parse

            APART_SECONDS = 0.025

            def spell(key, how, beside):
                data = key.encode()
                match how:
                    case "plain": return f"key={key};"
                    case "repr": return repr({"key": key})
                    case "json": return json.dumps({"key": key}, ensure_ascii=False)
                    case "ascii_json": return json.dumps({"key": key})
                    case "quote": return urllib.parse.quote(key, safe="")
                    case "form": return urllib.parse.urlencode({"key": key})
                    case "hex": return data.hex()
                    case "HEX": return data.hex().upper()
                    case "base64": return base64.b64encode(b"me:"[:beside] + data + b"!" * beside).decode()
                    case "urlsafe": return base64.urlsafe_b64encode(b"me:"[:beside] + data).decode().rstrip("=")
                    case "mime": return base64.encodebytes(data).decode()
                    case "codes": return "".join(f"\\\\u{unit:04x}" for unit in utf16(key))
                    case "line": return key.splitlines()[0]
                raise ValueError(how)

            def utf16(text):
                data = text.encode("utf-16-be")
                return [data[i] << 8 | data[i + 1] for i in range(0, len(data), 2)]

            def main(secrets, how, fails, ctx):
                spelled = {name: spell(key, *how[name]) for name, key in secrets.items()}
                if fails:
                    try:
                        raise KeyError(list(spelled.values())[-1])
                    except KeyError as cause:
                        raise RuntimeError(" | ".join(spelled.values())) from cause
                for number, (name, text) in enumerate(spelled.items()):
                    data = (text + "\\n").encode()
                    cuts = (number * 7 % len(data), number * 11 % len(data))
                    for stream, cut in enumerate(cuts, 1):
                        os.write(stream, data[:cut])
                    time.sleep(APART_SECONDS)
                    for stream, cut in enumerate(cuts, 1):
                        os.write(stream, data[cut:])
                    ctx.data.set(name, {"key": text, text: [text]})
                    ctx.trace(text)
                return {"marker": "spilled", **spelled}
            """;

    private static final String DENO = """
            import type { Context } from "millrace";

            const encoder = new TextEncoder();

            function base64(key: string, beside: number): string {
              const bytes = [...encoder.encode("me:".slice(0, beside) + key + "!".repeat(beside))];
              return btoa(String.fromCharCode(...bytes));
            }

            function spell(key: string, how: string, beside: number): string {
              switch (how) {
                case "plain": return `key=${key};`;
                case "json": return JSON.stringify({ key });
                case "inspect": return Deno.inspect({ key });
                case "uri": return encodeURIComponent(key);
                case "form": return new URLSearchParams({ key }).toString();
                case "hex": return [...encoder.encode(key)].map((b) => b.toString(16).padStart(2, "0")).join("");
                case "base64": return base64(key, beside);
                case "urlsafe": return base64(key, beside).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
                case "codes": return key.split("").map((c) => "\\\\u" + c.charCodeAt(0).toString(16).padStart(4, "0")).join("");
                case "line": return key.split("\\n")[0];
              }
              throw new RangeError(how);
            }

            export async function main(
              secrets: Record<string, string>, how: Record<string, [string, number]>, fails: boolean, ctx: Context,
            ) {
              const spelled = Object.fromEntries(Object.entries(secrets).map(([name, key]) => [name, spell(key, ...how[name])]));
              const texts = Object.values(spelled);
              if (fails) throw new Error(texts.join(" | "), { cause: new TypeError(texts.at(-1)) });
              for (const [name, text] of Object.entries(spelled)) {
                const bytes = encoder.encode(text + "\\n");
                for (let cut = 1; cut < bytes.length; cut++) {
                  Deno.stdout.writeSync(bytes.subarray(0, cut));
                  Deno.stdout.writeSync(bytes.subarray(cut));
                }
                console.error(text);
                console.error({ text });
                await ctx.data.set(name, { key: text, [text]: [text] });
                ctx.trace(text);
              }
              return { marker: "spilled", ...spelled };
            }
            """;

    private static final List<String> PYTHON_SPELLINGS = List.of(
            "plain",
            "repr",
            "json",
            "ascii_json",
            "quote",
            "form",
            "hex",
            "HEX",
            "base64",
            "urlsafe",
            "mime",
            "codes",
            "line");
    private static final List<String> DENO_SPELLINGS =
            List.of("plain", "json", "inspect", "uri", "form", "hex", "base64", "urlsafe", "codes", "line");

    private final RandomGenerator random = Seed.random("SpilledSecretsTest");
    private final List<String> leaks = Collections.synchronizedList(new ArrayList<>());
    private final List<SpilledSecret> python = secrets("py", PYTHON_SECRETS, PYTHON_SPELLINGS);
    private final List<SpilledSecret> deno = secrets("ts", DENO_SECRETS, DENO_SPELLINGS);
    private Installation installation;
    private Api api;
    private ManagedChannel channel;

    @BeforeEach
    void store(Installation shared) {
        installation = shared;
        api = shared.api();
        channel = ManagedChannelBuilder.forTarget(shared.cluster().schedulerAddress(0))
                .usePlaintext()
                .build();
        for (SpilledSecret secret : all()) {
            api.put("/api/v1/secrets/spill/" + secret.name(), Map.of("value", secret.value()))
                    .ok();
        }
        deploy("python", "spill.py", PYTHON, python, false);
        deploy("deno", "spill.ts", DENO, deno, false);
        deploy("python-throws", "spill.py", PYTHON, python.subList(0, THROWN), true);
        deploy("deno-throws", "spill.ts", DENO, deno.subList(0, THROWN), true);
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    @Test
    void nobodyReadsASecretThatAScriptWrites() throws Exception {
        Needles needles = new Needles(all());
        VisibleTexts visible = new VisibleTexts(
                installation,
                (where, text) -> needles.findIn(text).ifPresent(found -> leaks.add(where + ": " + found)));
        List<String> flows = List.of("spill/python", "spill/deno", "spill/python-throws", "spill/deno-throws");
        List<String> runs = new ArrayList<>();

        for (String flow : flows) {
            runs.add(runToEnd(flow, visible));
        }
        int addresses = visible.rest(runs, flows);
        int answers = visible.grpc(channel, runs.getFirst(), flows.getFirst());
        int rows = visible.database();
        int files = visible.files();

        System.out.printf(
                "SpilledSecretsTest looked for %d parts of %d secrets at %d addresses and in %d answers over gRPC, %d rows, %d files%n",
                needles.size(), all().size(), addresses, answers, rows, files);
        assertThat(leaks.stream().limit(LEAKS_SHOWN)).isEmpty();
        assertThat(addresses).isGreaterThan(30);
        assertThat(answers).isGreaterThan(30);
        assertThat(rows).isGreaterThan(all().size());
        assertThat(files).isGreaterThan(2);
        assertNotFound(runs.getFirst());
    }

    /** Runs a flow while others follow it in all ways, and checks that it has written what it should. */
    private String runToEnd(String flow, VisibleTexts visible) throws Exception {
        String run = api.submit(Map.of("target", Map.of("flow", flow)));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                EventStream events = api.followRun(run);
                EventStream logs = api.follow("/api/v1/runs/" + run + "/logs?follow=true")) {
            List<CompletableFuture<List<Message>>> streams = RpcMethod.all(channel).stream()
                    .filter(method ->
                            method.name().endsWith("/WatchRun") || method.name().endsWith("/TailLogs"))
                    .map(method ->
                            CompletableFuture.supplyAsync(() -> method.read(channel, Map.of("run_id", run)), threads))
                    .toList();
            for (EventStream stream : List.of(events, logs)) {
                stream.awaitEnd(Api.PATIENCE).forEach(event -> visible.json("events of " + flow, event.data()));
            }
            streams.forEach(stream -> stream.join().forEach(answer -> visible.message("stream of " + flow, answer)));
            assertThat(streams).hasSize(2);
        }
        JsonNode ended = api.awaitEnd(run);
        assertThat(ended.path("state").asText())
                .as("%s", ended)
                .isEqualTo(flow.endsWith("throws") ? "failed" : "succeeded");
        assertThat(ended.toString()).contains("***");
        if (!flow.endsWith("throws")) {
            for (String stream : List.of("stdout", "stderr", "trace")) {
                assertThat(api.logText(run, stream)).as(stream).contains("***");
            }
        }
        return run;
    }

    /** Asks the search for secrets: who can search for parts of a secret can guess the whole. */
    private void assertNotFound(String pythonRun) {
        assertThat(found("output", "marker=spilled")).contains(pythonRun);
        for (SpilledSecret secret : python.subList(0, SEARCHES)) {
            String part = secret.value().lines().findFirst().orElseThrow().substring(0, 10);
            assertThat(found("output", secret.name() + "~" + part)).isEmpty();
            assertThat(found("input", "secrets." + secret.name() + "~" + part)).isEmpty();
        }
    }

    private String found(String parameter, String condition) {
        StringBuilder ids = new StringBuilder();
        api.get("/api/v1/runs?" + parameter + "=" + URLEncoder.encode(condition, StandardCharsets.UTF_8))
                .ok()
                .path("items")
                .forEach(run -> ids.append(run.path("id").asText()).append(' '));
        return ids.toString();
    }

    private void deploy(String name, String file, String script, List<SpilledSecret> secrets, boolean fails) {
        Map<String, Object> references = new LinkedHashMap<>();
        Map<String, Object> how = new LinkedHashMap<>();
        for (SpilledSecret secret : secrets) {
            references.put(secret.name(), "${{ secrets.spill." + secret.name() + " }}");
            how.put(secret.name(), secret.how());
        }
        Map<String, Object> step = Map.of(
                "id", "spill", "script", file, "input", Map.of("secrets", references, "how", how, "fails", fails));
        String flow = Json.of(Map.of(
                        "millrace",
                        "v1",
                        "name",
                        "spill/" + name,
                        "steps",
                        List.of(step),
                        "output",
                        "${{ steps.spill.result }}"))
                .toString();
        api.deployFlow(flow, Map.of(file, script));
    }

    private List<SpilledSecret> secrets(String prefix, int count, List<String> spellings) {
        List<SpilledSecret> secrets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            secrets.add(SpilledSecret.random(prefix + i, spellings, random));
        }
        return List.copyOf(secrets);
    }

    private List<SpilledSecret> all() {
        List<SpilledSecret> all = new ArrayList<>(python);
        all.addAll(deno);
        return all;
    }
}
