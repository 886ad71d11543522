package dev.millrace.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {
    private static final String SUCCEEDED = """
            {"id":"r1","name":"hello","state":"succeeded","output":{"greeting":"Hello"},
             "create_time":"2026-01-01T00:00:00Z","end_time":"2026-01-01T00:00:01.5Z",
             "wait_duration":"0.5s","run_duration":"1s"}""";

    private final FakeGateway gateway = FakeGateway.start();

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    @Test
    void deploysAScriptFileAndRunsItByHash(@TempDir Path folder) throws IOException {
        Path script = Files.writeString(folder.resolve("hello.py"), "def main(name): ...");
        gateway.on("POST /scripts", 200, "{\"hash\":\"abc\",\"path\":\"hello.py\"}")
                .on("POST /runs", 200, SUCCEEDED);

        CliRunner.Outcome outcome = run("run", script.toString(), "-i", "name=Ada", "--request-id", "once");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).contains("\"greeting\": \"Hello\"");
        FakeGateway.Request deploy = gateway.requests().getFirst();
        assertThat(deploy.body().path("path").asText()).isEqualTo("hello.py");
        assertThat(deploy.body().path("content").asText()).isEqualTo("def main(name): ...");
        FakeGateway.Request submit = gateway.requests().get(1);
        assertThat(submit.body().toString())
                .isEqualTo("{\"input\":{\"name\":\"Ada\"},\"target\":{\"script_hash\":\"abc\"}}");
        assertThat(submit.requestId()).isEqualTo("once");
    }

    @Test
    void deploysAScriptUnderAPathWithoutAnEnding(@TempDir Path folder) throws IOException {
        Path script = Files.writeString(folder.resolve("hello.mts"), "export function main() {}");
        gateway.on("POST /scripts", 200, "{\"hash\":\"abc\",\"path\":\"u/ada/hello\"}");

        assertThat(run("scripts", "deploy", script.toString(), "--path", "u/ada/hello")
                        .exitCode())
                .isZero();

        FakeGateway.Request deploy = gateway.requests().getFirst();
        assertThat(deploy.body().path("path").asText()).isEqualTo("u/ada/hello");
        assertThat(deploy.body().path("language").asText()).isEqualTo("deno");
    }

    @Test
    void asksForAStartInTime() {
        gateway.on("POST /runs", 200, SUCCEEDED);

        assertThat(run("run", "hello", "--start-within", "10m").exitCode()).isZero();

        assertThat(gateway.requests().getFirst().body().toString())
                .isEqualTo("{\"input\":{},\"start_within\":\"10m\",\"target\":{\"flow\":\"hello\"}}");
    }

    @Test
    void asksForAnEnvironmentAndALimit() {
        gateway.on("POST /runs", 200, SUCCEEDED);

        assertThat(run(
                                "run",
                                "hello",
                                "--env",
                                "REGION=eu",
                                "--env",
                                "SIZE=2",
                                "--limit-max",
                                "3",
                                "--limit-rate",
                                "10/1m")
                        .exitCode())
                .isZero();

        assertThat(gateway.requests().getFirst().body().toString())
                .isEqualTo(
                        "{\"input\":{},\"env\":{\"REGION\":\"eu\",\"SIZE\":2},"
                                + "\"limit\":{\"max\":3,\"rate\":{\"count\":10,\"per\":\"1m\"}},\"target\":{\"flow\":\"hello\"}}");
        assertThat(run("run", "hello", "--limit-rate", "often").errors()).contains("--limit-rate 10/1m");
        assertThat(run("run", "hello", "--limit-key", "k").errors()).contains("limits nothing");
        assertThat(run("run", "hello", "--env", "eu").errors()).contains("--env REGION=eu");
    }

    @Test
    void tellsWhatIsWrongOnce() {
        gateway.on("POST /runs", 400, """
                {"detail":"The request is invalid: input.n: is missing","errors":[{"field":"input.n","message":"is missing"}]}""");

        assertThat(run("run", "hello").errors())
                .isEqualToIgnoringNewLines("The request is invalid: input.n: is missing");
    }

    @Test
    void deploysAFlowWithTheScriptsItNames(@TempDir Path folder) throws IOException {
        Path flow = Files.writeString(folder.resolve("flow.yaml"), "millrace: v1");
        Files.writeString(folder.resolve("a.py"), "def main(): ...");
        gateway.on("POST /flows:validate", 200, "{\"problems\":[],\"script_paths\":[\"a.py\",\"deployed.ts\"]}")
                .on("POST /flows", 200, "{\"hash\":\"f00\",\"path\":\"x\"}")
                .on("POST /runs", 200, SUCCEEDED);

        assertThat(run("run", flow.toString()).exitCode()).isZero();

        FakeGateway.Request deploy = gateway.requests().get(2);
        assertThat(deploy.path()).isEqualTo("/flows");
        assertThat(deploy.body().path("file_name").asText()).isEqualTo("flow.yaml");
        assertThat(deploy.body().path("files").toString()).isEqualTo("{\"a.py\":\"def main(): ...\"}");
        assertThat(gateway.requests().get(3).body().path("target").toString()).isEqualTo("{\"flow_hash\":\"f00\"}");
    }

    @Test
    void tellsTheProblemsOfAFlow(@TempDir Path folder) throws IOException {
        Path flow = Files.writeString(folder.resolve("flow.yaml"), "millrace: v1");
        gateway.on("POST /flows:validate", 200, """
                {"script_paths":[],"problems":[{"line":3,"column":5,"path":"steps","message":"There are no steps.","remedy":"Add one."}]}""");

        CliRunner.Outcome outcome = run("run", flow.toString());

        assertThat(outcome.exitCode()).isEqualTo(5);
        assertThat(outcome.errors()).isEqualToIgnoringNewLines(flow + ":3:5: steps: There are no steps. Add one.");
    }

    @Test
    void showsStepsAndLogsAsLinesWhereOutputIsNoTerminal() {
        gateway.on("POST /runs", 202, "{\"id\":\"r1\",\"name\":\"hello\",\"state\":\"queued\"}")
                .onStream(
                        "GET /runs/r1/events",
                        "run",
                        "{\"id\":\"r1\",\"name\":\"hello\",\"state\":\"running\"}",
                        "step",
                        "{\"key\":\"a\",\"kind\":\"script\",\"state\":\"running\",\"worker\":\"w\"}",
                        "step",
                        "{\"key\":\"a\",\"kind\":\"script\",\"state\":\"running\",\"worker\":\"w\"}",
                        "log",
                        "{\"step\":\"a\",\"stream\":\"stdout\",\"text\":\"working\\n\"}",
                        "step",
                        "{\"key\":\"a\",\"kind\":\"script\",\"state\":\"succeeded\",\"wait_duration\":\"0.002s\",\"run_duration\":\"0.2s\"}",
                        "run",
                        SUCCEEDED.replace("\n", " "),
                        "end",
                        "{}")
                .on("GET /runs/r1", 200, SUCCEEDED);

        CliRunner.Outcome outcome = run("run", "hello", "--watch");

        assertThat(outcome.output()).isEqualTo("""
                ● hello          run r1 running
                ● a              running on w
                  a              | working
                ✔ a              succeeded, waited 2.0 ms, ran 200 ms
                ✔ hello          run r1 succeeded in 1.00 s + 500 ms queued
                {
                  "greeting": "Hello"
                }
                """);
    }

    @Test
    void printsEventsAsJsonLines() {
        gateway.on("POST /runs", 202, "{\"id\":\"r1\",\"state\":\"queued\"}")
                .onStream("GET /runs/r1/events", "run", "{\"id\":\"r1\",\"state\":\"succeeded\"}", "end", "{}")
                .on("GET /runs/r1", 200, SUCCEEDED);

        assertThat(run("run", "hello", "--watch", "-o", "json").output())
                .isEqualTo("{\"event\":\"run\",\"data\":{\"id\":\"r1\",\"state\":\"succeeded\"}}\n");
    }

    @Test
    void printsTheIdOfADetachedRun() {
        gateway.on("POST /runs", 202, "{\"id\":\"r1\",\"state\":\"queued\"}");

        CliRunner.Outcome outcome = run("run", "hello", "--detach");

        assertThat(outcome.output()).isEqualTo("r1\n");
        assertThat(gateway.requests().getFirst().path()).isEqualTo("/runs");
    }

    private CliRunner.Outcome run(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--server=" + gateway.url();
        return CliRunner.run(all);
    }
}
