package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.EventStream;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A run from submission to end, as its caller sees it. */
@ExtendWith(SharedInstallation.class)
final class RunTest {
    @Test
    void answersWithTheResultWhereTheCallerWaits(Api api) {
        api.deployScript("run/double.py", "def main(number: int):\n    return number * 2\n");

        Answer answer = api.post(
                "/api/v1/runs?wait=30s",
                Map.of("target", Map.of("script", "run/double.py"), "input", Map.of("number", 21)));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("state").asText()).isEqualTo("succeeded");
        assertThat(answer.body().path("output").asInt()).isEqualTo(42);
    }

    @Test
    void refusesAnInputThatTheSignatureDoesNotTake(Api api) {
        JsonNode deployed = api.post(
                        "/api/v1/scripts",
                        Map.of("path", "run/typed.py", "content", "def main(number: int):\n    return number * 3\n"))
                .ok();
        api.awaitEnd(deployed.path("schema_run_id").asText());

        Answer refused = api.post(
                "/api/v1/runs", Map.of("target", Map.of("script", "run/typed.py"), "input", Map.of("number", "x")));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("errors").path(0).path("field").asText()).isEqualTo("input.number");
        assertThat(refused.body().path("errors").path(0).path("message").asText())
                .isEqualTo("The parameter \"number\" is \"x\" (expected: a whole number). Change it.");
        assertThat(api.get("/api/v1/scripts/run/typed.py")
                        .ok()
                        .path("input_schema")
                        .path("required")
                        .path(0)
                        .asText())
                .isEqualTo("number");
    }

    @Test
    void refusesAnInputThatTheTypesDoNotTake(Api api) {
        String source = """
                interface Item { name: string; count?: number }
                export function main(items: Item[], speed: "slow" | "fast" = "slow") { return items.length; }
                """;
        JsonNode deployed = api.post("/api/v1/scripts", Map.of("path", "run/typed.ts", "content", source))
                .ok();
        assertThat(deployed.path("schema_run_id").asText())
                .isEqualTo(deployed.path("package_run_id").asText());
        api.awaitEnd(deployed.path("schema_run_id").asText());

        Map<String, Object> wrong = Map.of("items", List.of(Map.of("name", "tea"), Map.of("name", 3)), "speed", "warp");
        Answer refused = api.post("/api/v1/runs", Map.of("target", Map.of("script", "run/typed.ts"), "input", wrong));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("errors").findValuesAsText("message"))
                .containsExactlyInAnyOrder(
                        "The parameter \"items[1].name\" is 3 (expected: a string). Change it.",
                        "The parameter \"speed\" is \"warp\" (expected: one of \"slow\", \"fast\"). Change it.");
        Map<String, Object> right = Map.of("items", List.of(Map.of("name", "tea", "more", 1)));
        assertThat(api.post("/api/v1/runs?wait=30s", Map.of("target", Map.of("script", "run/typed.ts"), "input", right))
                        .ok()
                        .path("output")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void answersWithTheRunAsItStandsWhenTheWaitIsOver(Api api, @TempDir Path folder) {
        var gate = new Gate(folder);
        api.deployScript("run/gate.py", Gate.PYTHON);

        Answer answer = api.post(
                "/api/v1/runs?wait=200ms", Map.of("target", Map.of("script", "run/gate.py"), "input", gate.input()));

        assertThat(answer.ok().path("state").asText()).isIn("queued", "running");
        gate.open();
        api.awaitEnd(answer.body().path("id").asText());
    }

    @Test
    void answersAtOnceWithTheRunsAddressWithoutAWait(Api api) {
        api.deployScript("run/double.py", "def main(number: int):\n    return number * 2\n");

        Answer answer = api.post(
                "/api/v1/runs", Map.of("target", Map.of("script", "run/double.py"), "input", Map.of("number", 1)));

        assertThat(answer.status()).isEqualTo(202);
        String location = answer.headers().firstValue("location").orElseThrow();
        assertThat(location).endsWith("/api/v1/runs/" + answer.body().path("id").asText());
        api.awaitEnd(answer.body().path("id").asText());
    }

    @Test
    void startsOneRunForOneIdempotencyKey(Api api) {
        api.deployScript("run/double.py", "def main(number: int):\n    return number * 2\n");
        String key = UUID.randomUUID().toString();
        var body = Map.of("target", Map.of("script", "run/double.py"), "input", Map.of("number", 4));

        String first = api.post("/api/v1/runs", body, "Idempotency-Key", key)
                .ok()
                .path("id")
                .asText();
        String second = api.post("/api/v1/runs", body, "Idempotency-Key", key)
                .ok()
                .path("id")
                .asText();
        api.awaitEnd(first);
        String third = api.post("/api/v1/runs", body, "Idempotency-Key", key)
                .ok()
                .path("id")
                .asText();
        var other = Map.of("target", Map.of("script", "run/double.py"), "input", Map.of("number", 5));
        Answer refused = api.post("/api/v1/runs", other, "Idempotency-Key", key);

        assertThat(List.of(second, third)).containsOnly(first);
        assertThat(refused.status()).isEqualTo(409);
    }

    @Test
    void acceptsABatchAsAWhole(Api api) {
        api.deployScript("run/double.py", "def main(number: int):\n    return number * 2\n");
        var items = new ArrayList<Map<String, Object>>();
        for (int i = 0; i < 20; i++) {
            items.add(Map.of("target", Map.of("script", "run/double.py"), "input", Map.of("number", i)));
        }

        JsonNode ids =
                api.post("/api/v1/runs:batch", Map.of("items", items)).ok().path("run_ids");

        for (int i = 0; i < items.size(); i++) {
            assertThat(api.awaitEnd(ids.get(i).asText()).path("output").asInt()).isEqualTo(i * 2);
        }
    }

    @Test
    void stopsARunningProcessWhenItsRunIsCanceled(Api api, @TempDir Path folder) {
        var gate = new Gate(folder);
        api.deployScript("run/gate.py", Gate.PYTHON);
        String run = api.submit(Map.of("target", Map.of("script", "run/gate.py"), "input", gate.input()));
        gate.awaitArrivals(1);

        api.cancel(run, "changed my mind").ok();

        JsonNode ended = api.awaitEnd(run);
        assertThat(ended.path("state").asText()).isEqualTo("canceled");
        assertThat(ended.path("error").path("message").asText()).contains("changed my mind");
        Await.until(
                "the slot is free",
                Api.PATIENCE,
                () -> api.workers().stream()
                        .allMatch(worker -> worker.path("leased_jobs").asInt() == 0));
        gate.open();
        assertThat(api.runToEnd(Map.of("target", Map.of("script", "run/gate.py"), "input", gate.input()))
                        .path("state")
                        .asText())
                .isEqualTo("succeeded");
        assertThat(api.cancel(run, "again").status()).isEqualTo(409);
    }

    @Test
    void stopsALoopThatIgnoresCanceling(Api api) {
        api.deployScript("run/deaf.ts", "export function main() {\n  console.log('deaf');\n  while (true) {}\n}\n");
        String run = api.submit(Map.of("target", Map.of("script", "run/deaf.ts")));
        try (EventStream events = api.followRun(run)) {
            events.await(
                    "the loop has begun", Api.PATIENCE, event -> event.type().equals("log"));
        }

        api.cancel(run, "").ok();

        Await.until(
                "the slot is free",
                Api.PATIENCE,
                () -> api.workers().stream()
                        .allMatch(worker -> worker.path("leased_jobs").asInt() == 0));
    }

    @Test
    void triesAgainWithGrowingPauses(Api api, @TempDir Path folder) {
        api.deployScript("run/third_time.py", """
                import time

                def main(notes: str):
                    with open(notes, "a") as file:
                        file.write(f"{time.time()}\\n")
                    with open(notes) as file:
                        times = [float(line) for line in file]
                    if len(times) < 3:
                        raise RuntimeError("not yet")
                    return times
                """);

        JsonNode run = api.runToEnd(Map.of(
                "target", Map.of("script", "run/third_time.py"),
                "input", Map.of("notes", folder.resolve("notes").toString()),
                "retry", Map.of("max_retries", 5, "delay", "200ms", "multiplier", 3)));

        assertThat(run.path("state").asText()).as("state of %s", run).isEqualTo("succeeded");
        JsonNode times = run.path("output");
        assertThat(times).hasSize(3);
        assertThat(times.get(1).asDouble() - times.get(0).asDouble()).isBetween(0.19, 2.0);
        assertThat(times.get(2).asDouble() - times.get(1).asDouble()).isBetween(0.59, 3.0);
        assertThat(api.steps(run.path("id").asText()).getFirst().path("attempt").asInt())
                .isEqualTo(3);
    }

    @Test
    void doesNotStartBeforeItsTime(Api api) {
        api.deployScript("run/clock.py", "import time\ndef main():\n    return time.time()\n");
        Instant time = Instant.now().plusSeconds(1);

        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", "run/clock.py"), "run_after", time.toString()));

        assertThat(run.path("output").asDouble()).isBetween(time.toEpochMilli() / 1e3, time.toEpochMilli() / 1e3 + 3);
    }

    @Test
    void listsRunsNewestFirstPageByPage(Api api) {
        api.deployScript("run/double.py", "def main(number: int):\n    return number * 2\n");
        var ids = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            ids.add(api.runToEnd(Map.of("target", Map.of("script", "run/double.py"), "input", Map.of("number", i)))
                    .path("id")
                    .asText());
        }

        JsonNode first = api.get("/api/v1/runs?state=succeeded&page_size=2").ok();
        JsonNode second = api.get("/api/v1/runs?state=succeeded&page_size=2&page_token="
                        + first.path("next_page_token").asText())
                .ok();

        assertThat(first.path("items").get(0).path("id").asText()).isEqualTo(ids.get(2));
        assertThat(first.path("items").get(1).path("id").asText()).isEqualTo(ids.get(1));
        assertThat(second.path("items").get(0).path("id").asText()).isEqualTo(ids.get(0));
    }
}
