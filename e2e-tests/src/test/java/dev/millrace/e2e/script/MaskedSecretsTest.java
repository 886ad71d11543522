package dev.millrace.e2e.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scripts that show their secret in every way they can: nobody can read it, not even in the database. */
@ExtendWith(SharedInstallation.class)
final class MaskedSecretsTest {
    private static final String SECRET = "correct/horse+battery staple";

    /** Parts of the secret as written by the encoders of the scripts. */
    private static final List<String> READABLE = List.of(
            "horse",
            "battery",
            HexFormat.of().formatHex("horse".getBytes(UTF_8)),
            "Y29ycmVjdC9ob3Jz",
            "NvcnJlY3QvaG9yc2",
            "jb3JyZWN0L2hvcnNl");

    private static final String FLOW = """
            millrace: v1
            name: vault/shows
            steps:
              - id: python
                script: show.py
                input: {key: "${{ secrets.vault.shown }}", header: "Bearer ${{ secrets.vault.shown }}"}
              - id: deno
                script: show.ts
                input: {key: "${{ secrets.vault.shown }}"}
              - id: called
                script: called.py
                input: {path: vault/shown}
              - id: calledts
                script: called.ts
                input: {path: vault/shown}
              - id: throws
                script: throw.py
                input: {key: "${{ secrets.vault.shown }}"}
            """;

    private static final Map<String, String> SCRIPTS =
            Map.of("show.py", """
            import base64, json, sys, urllib.parse

            def main(key, header, ctx):
                for part in (key[:5], key[5:] + "\\n"):
                    print(part, end="", flush=True)
                print(header, file=sys.stderr)
                print(key.encode().hex(), base64.b64encode(key.encode()).decode(), urllib.parse.quote_plus(key))
                ctx.data.set("k", {"key": [key]})
                ctx.trace(key)
                return {"key": key, "length": len(key), "basic": base64.b64encode(b"me:" + key.encode()).decode()}
            """, "show.ts", """
            import type { Context } from "millrace";
            export async function main(key: string, ctx: Context) {
              console.log({ key }, JSON.stringify(key), encodeURIComponent(key), btoa("a" + key));
              console.error(JSON.stringify(await ctx.data.get("k")));
              return [key, key.length];
            }
            """, "called.py", """
            from millrace import CallFailed

            def main(path, ctx):
                key = ctx.secrets.get(path)
                print(key)
                ctx.resources.set("vault/plain", {"a": "${{ secrets.vault.shown }}"})
                try:
                    ctx.state.set({"key": key})
                except CallFailed as refusal:
                    message = str(refusal)
                ctx.state.set({"n": 1})
                literal = ctx.resources.get("vault/plain")["a"].startswith("$")
                return [key, len(key), message, ctx.state.get(), literal]
            """, "called.ts", """
            import type { Context } from "millrace";
            export async function main(path: string, ctx: Context) {
              const key = await ctx.secrets.get(path);
              console.log(key);
              return [key, key.length];
            }
            """, "throw.py", """
            def main(key):
                raise RuntimeError("Cannot log in with " + key)
            """);

    private static final String WINDMILL = """
            summary: Uses the client of Windmill
            value:
              modules:
                - id: a
                  value:
                    type: rawscript
                    language: python3
                    content: |
                      import wmill

                      def main():
                          state = (wmill.get_state() or 0) + 1
                          wmill.set_state(state)
                          wmill.set_variable("u/ada/stage", "prod" + str(state))
                          db = wmill.get_resource("u/ada/db")
                          return [len(wmill.get_variable("u/ada/key")), db["port"], state]
                    input_transforms: {}
                - id: b
                  value:
                    type: rawscript
                    language: bun
                    content: |
                      import * as wmill from "windmill-client";

                      export async function main(before: number[]) {
                        const stage = await wmill.getVariable("$var:u/ada/stage");
                        return [...before, (await wmill.getVariable("u/ada/key")).length, stage];
                      }
                    input_transforms:
                      before: {type: javascript, expr: results.a}
            """;

    private static final String WINDMILL_RUNS = """
            summary: Starts runs, keeps a file and waits for an approval
            value:
              modules:
                - id: a
                  suspend: {required_events: 1}
                  value:
                    type: rawscript
                    language: python3
                    content: |
                      import wmill

                      def main():
                          job = wmill.run_script_async("f/ada/double.py", {"n": 2})
                          results = [wmill.wait_job(job), wmill.run_script_by_path("f/ada/double.py", {"n": 3})]
                          results += [wmill.get_job_status(job), wmill.get_job(job)["success"]]
                          wmill.write_s3_file({"s3": "notes/a.txt"}, b"kept")
                          return {"results": results, "urls": wmill.get_resume_urls()}
                    input_transforms: {}
                - id: b
                  value:
                    type: rawscript
                    language: bun
                    content: |
                      import * as wmill from "windmill-client";

                      export async function main(before: unknown[], word: string) {
                        return [...before, await wmill.runScriptByPath("f/ada/double.py", { n: 4 }), word];
                      }
                    input_transforms:
                      before: {type: javascript, expr: results.a.results}
                      word: {type: javascript, expr: resume.word}
                - id: c
                  value:
                    type: rawscript
                    language: python3
                    content: |
                      import wmill

                      def main(before):
                          return [*before, wmill.load_s3_file({"s3": "notes/a.txt"}).decode()]
                    input_transforms:
                      before: {type: javascript, expr: results.b}
            """;

    private Api api;
    private Installation installation;

    @BeforeEach
    void deploy(Installation shared) {
        installation = shared;
        api = shared.api();
        api.put("/api/v1/secrets/vault/shown", Map.of("value", SECRET)).ok();
        api.deployFlow(FLOW, SCRIPTS);
    }

    @Test
    void nobodyReadsThem() throws SQLException {
        JsonNode run = api.runToEnd(Map.of("target", Map.of("flow", "vault/shows")));
        String id = run.path("id").asText();
        List<JsonNode> steps = api.steps(id);

        assertThat(result(steps, "python").path("length").asInt())
                .as("%s", steps)
                .isEqualTo(SECRET.length());
        assertThat(result(steps, "python").path("key").asText()).isEqualTo("***");
        assertThat(result(steps, "deno").toString()).isEqualTo("[\"***\"," + SECRET.length() + "]");
        JsonNode called = result(steps, "called");
        assertThat(called.path(0).asText()).isEqualTo("***");
        assertThat(called.path(1).asInt()).isEqualTo(SECRET.length());
        assertThat(called.path(2).asText()).contains("contains a secret that this process has read");
        assertThat(called.path(3).toString()).isEqualTo("{\"n\":1}");
        assertThat(called.path(4).asBoolean())
                .as("the text of a job is literal")
                .isTrue();
        assertThat(result(steps, "calledts").toString()).isEqualTo("[\"***\"," + SECRET.length() + "]");
        assertThat(run.toString()).contains("Cannot log in with ***");
        assertThat(api.logText(id, "stderr")).contains("Bearer ***");
        assertNotReadable("run", run.toString());
        assertNotReadable("steps", steps.toString());
        for (String stream : List.of("stdout", "stderr", "trace")) {
            assertNotReadable(stream, api.logText(id, stream));
        }
        for (String row : rowsOfAllTables()) {
            assertNotReadable("database", row);
        }
    }

    @Test
    void scriptsOfAWindmillExportFindTheirClient() {
        api.put("/api/v1/secrets/u/ada/key", Map.of("value", "known to ada alone"))
                .ok();
        api.put("/api/v1/resources/u/ada/db", Map.of("value", Map.of("port", 5432)))
                .ok();
        api.post("/api/v1/flows", Map.of("path", "f/ada/export", "definition", WINDMILL))
                .ok();

        JsonNode first = api.runToEnd(Map.of("target", Map.of("flow", "f/ada/export")));
        JsonNode second = api.runToEnd(Map.of("target", Map.of("flow", "f/ada/export")));

        assertThat(first.path("output").toString()).as("%s", first).isEqualTo("[18,5432,1,18,\"prod1\"]");
        assertThat(second.path("output").toString()).isEqualTo("[18,5432,2,18,\"prod2\"]");
    }

    @Test
    void scriptsOfAWindmillExportStartRunsAndAskForApproval() {
        api.deployScript("f/ada/double.py", "def main(n: int):\n    return n * 2\n");
        api.post("/api/v1/flows", Map.of("path", "f/ada/runs", "definition", WINDMILL_RUNS))
                .ok();

        String run = api.submit(Map.of("target", Map.of("flow", "f/ada/runs")));
        Await.until("the step waits", Api.PATIENCE, () -> {
            JsonNode waits = api.get("/api/v1/runs/" + run + "/waits").ok();
            return !waits.path("items").isEmpty();
        });
        String resume = result(api.steps(run), "a").path("urls").path("resume").asText();
        api.post(resume, Map.of("payload", Map.of("word", "go"))).ok();

        JsonNode ended = api.awaitEnd(run);
        assertThat(ended.path("output").toString())
                .as("%s", ended)
                .isEqualTo("[4,6,\"COMPLETED\",true,8,\"go\",\"kept\"]");
    }

    private static JsonNode result(List<JsonNode> steps, String key) {
        return steps.stream()
                .filter(step -> step.path("key").asText().equals(key))
                .findFirst()
                .orElseThrow()
                .path("result");
    }

    private static void assertNotReadable(String where, String text) {
        for (String part : READABLE) {
            if (text.contains(part)) {
                assertThat(text).as(where).doesNotContain(part);
            }
        }
    }

    /** All rows as text; bytes are shown as hexadecimal digits. */
    private List<String> rowsOfAllTables() throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(installation.postgres().jdbcUrl());
                Statement statement = connection.createStatement()) {
            List<String> tables = texts(
                    statement,
                    "select format('%I.%I', schemaname, tablename) from pg_tables where schemaname not like 'pg_%' and schemaname <> 'information_schema'");
            for (String table : tables) {
                rows.addAll(texts(statement, "select t::text from " + table + " t"));
            }
        }
        assertThat(rows).hasSizeGreaterThan(SCRIPTS.size());
        return rows;
    }

    private static List<String> texts(Statement statement, String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                texts.add(result.getString(1));
            }
        }
        return texts;
    }
}
