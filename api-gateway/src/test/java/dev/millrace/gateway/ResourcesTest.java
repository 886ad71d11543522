package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.gateway.testing.FakeLogs;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.TailLogsResponse;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResourcesTest extends GatewayTest {

    @Test
    void deploysAndShowsScripts() {
        var deployed = post(
                "/api/v1/scripts",
                "{\"path\":\"a/b.py\",\"language\":\"python\",\"content\":\"def main(): return '✓'\\n\"}");

        assertThat(deployed.statusCode()).isEqualTo(201);
        assertThat(deployed.headers().firstValue("location")).hasValue("/api/v1/scripts/a/b.py");
        assertThat(json(deployed).path("language").asText()).isEqualTo("python");
        assertThat(json(deployed).has("content")).isFalse();
        assertThat(json(get("/api/v1/scripts/a/b.py")).path("content").asText()).isEqualTo("def main(): return '✓'\n");
        assertThat(json(get("/api/v1/scripts"))
                        .path("items")
                        .path(0)
                        .path("hash")
                        .asText())
                .isEqualTo("beef");
        problem(get("/api/v1/scripts/a/c.py"), 404, "script_not_found");
    }

    @Test
    void deletesScripts() {
        post("/api/v1/scripts", "{\"path\":\"used/b.py\",\"language\":\"python\",\"content\":\"\"}");

        problem(delete("/api/v1/scripts/used/b.py"), 409, "in_use");
        problem(delete("/api/v1/scripts/used/b.py?force=yes"), 400, "invalid_argument");
        assertThat(json(delete("/api/v1/scripts/used/b.py?force=true"))
                        .path("hash")
                        .asText())
                .isEqualTo("beef");
        problem(delete("/api/v1/scripts/used/b.py?force=true"), 404, "script_not_found");
    }

    @Test
    void deletesFlows() {
        post("/api/v1/flows", "{\"path\":\"used/flow\",\"definition\":\"millrace: v1\"}");

        problem(delete("/api/v1/flows/used/flow"), 409, "in_use");
        var deleted = json(delete("/api/v1/flows/used/flow?force=true"));
        assertThat(deleted.path("hash").asText()).isEqualTo("f00d");
        assertThat(deleted.has("definition")).isFalse();
        problem(get("/api/v1/flows/used/flow"), 404, "flow_not_found");
    }

    @Test
    void passesOnAnyLanguage() {
        for (String language : new String[] {"cobol", "deno"}) {
            var script = json(
                    post("/api/v1/scripts", "{\"path\":\"a\",\"language\":\"" + language + "\",\"content\":\"\"}"));

            assertThat(script.path("language").asText()).isEqualTo(language);
        }
    }

    @Test
    void validatesFlows() {
        var found = json(post("/api/v1/flows:validate", "{\"file_name\":\"f.yaml\",\"definition\":\"bad\"}"));

        assertThat(found.path("problems").path(0).path("line").asInt()).isEqualTo(3);
        assertThat(found.path("problems").path(0).path("remedy").asText()).isEqualTo("Do good.");
        assertThat(found.path("script_paths").path(0).asText()).isEqualTo("split.py");
        assertThat(found.path("dialect").asText()).isEqualTo("millrace");
    }

    @Test
    void tellsWhatADeploymentWouldChange() {
        var body = "{\"path\":\"a\",\"definition\":\"steps\"}";
        assertThat(json(post("/api/v1/flows:plan", body)).has("current")).isFalse();
        post("/api/v1/flows", body);

        var plan = json(post("/api/v1/flows:plan", body));

        assertThat(plan.path("flow").path("hash").asText()).isEqualTo("f00d");
        assertThat(plan.path("current").path("definition").asText()).isEqualTo("steps");
        assertThat(plan.path("triggers").path(0).path("change").asText()).isEqualTo("created");
    }

    @Test
    void convertsFlows() {
        var converted = json(post("/api/v1/flows:convert", "{\"file_name\":\"f.json\",\"definition\":\"{}\"}"));

        assertThat(converted.path("definition").asText()).isEqualTo("millrace: v1");
        assertThat(converted.path("scripts").path("a.py").asText()).isEqualTo("pass");
        assertThat(converted.path("dialect").asText()).isEqualTo("openflow");
        assertThat(converted.path("warnings").path(0).path("message").asText()).isEqualTo("Lost.");
    }

    @Test
    void storesFlowsWithoutDeployingThem() {
        assertThat(post("/api/v1/flows", "{\"definition\":\"good\",\"store_only\":true}")
                        .statusCode())
                .isEqualTo(201);

        assertThat(scheduler.flows.lastDeploy.getStoreOnly()).isTrue();
        problem(post("/api/v1/flows", "{\"definition\":\"good\",\"store_only\":1}"), 400, "invalid_argument");
    }

    @Test
    void deploysAndShowsFlows() {
        var deployed = post(
                "/api/v1/flows",
                "{\"path\":\"x/y\",\"file_name\":\"f.yaml\",\"dialect\":\"millrace\",\"definition\":\"good\","
                        + "\"files\":{\"s.py\":\"pass\"}}");

        assertThat(deployed.statusCode()).isEqualTo(201);
        assertThat(json(deployed).path("hash").asText()).isEqualTo("f00d");
        assertThat(scheduler.flows.lastDeploy.getFiles(0).getPath()).isEqualTo("s.py");
        assertThat(scheduler.flows.lastDeploy.getFiles(0).getContent().toStringUtf8())
                .isEqualTo("pass");
        assertThat(json(get("/api/v1/flows/x/y")).path("definition").asText()).isEqualTo("good");
        assertThat(json(get("/api/v1/flows")).path("items").path(0).path("path").asText())
                .isEqualTo("x/y");
    }

    @Test
    void listsTheProblemsOfAFlowThatCannotBeDeployed() {
        var problem = problem(post("/api/v1/flows", "{\"definition\":\"bad\"}"), 400, "flow_invalid");

        assertThat(problem.path("errors").path(0).path("field").asText()).isEqualTo("steps[0]");
    }

    @Test
    void tellsWhatIsKept() {
        var retention = json(get("/api/v1/server/status")).path("retention");

        assertThat(retention.path(0).toString())
                .isEqualTo(
                        "{\"table\":\"job_history\",\"holds\":\"Ended runs with their steps\",\"age\":\"2592000s\","
                                + "\"setting\":\"millrace.retention.history\",\"rows_estimate\":1000000,\"bytes\":5000000000,"
                                + "\"oldest_time\":\"2027-01-15T08:00:00Z\",\"sweep_time\":\"2027-02-07T11:33:20Z\",\"removed_rows\":7}");
        assertThat(retention.path(1).path("error").asText()).isEqualTo("canceling statement due to lock timeout");
        assertThat(retention.path(1).path("failure_time").asText()).isEqualTo("2027-02-07T11:33:20Z");
    }

    @Test
    void listsWorkers() {
        var worker = json(get("/api/v1/workers")).path("items").path(0);

        assertThat(worker.path("name").asText()).isEqualTo("w1");
        assertThat(worker.path("runtimes").path("python").asText()).isEqualTo("3.12.1");
        assertThat(worker.path("slot_groups").path(0).path("tags").path(0).asText())
                .isEqualTo("python");
        assertThat(worker.path("leased_jobs").asInt()).isEqualTo(1);
        assertThat(worker.has("processes")).as("only if asked for").isFalse();
    }

    @Test
    void listsProcessesOfWorkers() {
        var worker = json(get("/api/v1/workers?processes=true")).path("items").path(0);

        assertThat(worker.path("processes").path(0).toString())
                .contains("\"script\":\"a/b.py\"", "\"state\":\"busy\"", "\"pid\":42", "\"memory_bytes\":1048576");
        assertThat(worker.path("processes_left_off").asInt()).isEqualTo(3);
    }

    @Test
    void readsAPartOfALog() {
        var page = json(get("/api/v1/runs/run-1/logs?step=split&stream=stderr&order=newest&after=3&before=50"));

        assertThat(page.path("last_position").asLong()).isEqualTo(44);
        assertThat(page.path("items").path(0).path("position").asLong()).isEqualTo(42);
        assertThat(scheduler.logs.lastList.getNewestFirst()).isTrue();
        assertThat(scheduler.logs.lastList.getStreamsList()).containsExactly(LogChunk.Stream.STREAM_STDERR);
        assertThat(scheduler.logs.lastList.getAfterPosition()).isEqualTo(3);
        assertThat(scheduler.logs.lastList.getBeforePosition()).isEqualTo(50);
        problem(get("/api/v1/runs/run-1/logs?stream=stdin"), 400, "invalid_argument");
        problem(get("/api/v1/runs/run-1/logs?order=random"), 400, "invalid_argument");
        problem(get("/api/v1/runs/run-1/logs?after=-1"), 400, "invalid_argument");
    }

    @Test
    void searchesALog() {
        var page = json(get("/api/v1/runs/run-1/logs/matches?text=SECOND&match_case=true&step=split"));

        assertThat(page.path("items").path(0).toString())
                .contains("\"position\":42", "\"line\":1", "\"stream\":\"stderr\"", "second ✓");
        assertThat(page.path("searched_position").asLong()).isEqualTo(43);
        assertThat(scheduler.logs.lastSearch.getText()).isEqualTo("SECOND");
        assertThat(scheduler.logs.lastSearch.getMatchCase()).isTrue();
    }

    @Test
    void downloadsALogAsText() throws InterruptedException {
        var answer = CompletableFuture.supplyAsync(() -> get("/api/v1/runs/run-1/logs/text?step=split"));
        var log = Objects.requireNonNull(scheduler.logs.followers.poll(60, TimeUnit.SECONDS));
        log.onNext(TailLogsResponse.newBuilder().setChunk(FakeLogs.CHUNK).build());
        log.onCompleted();

        assertThat(answer.join().body()).isEqualTo(FakeLogs.CHUNK.getText());
        assertThat(answer.join().headers().firstValue("content-type")).hasValue("text/plain; charset=utf-8");
        assertThat(answer.join().headers().firstValue("cache-control")).hasValue("no-store");
        assertThat(scheduler.logs.lastTail.getStoredOnly()).isTrue();
        assertThat(scheduler.logs.lastTail.getStep()).isEqualTo("split");
    }

    @Test
    void listsLogs() {
        var chunk = json(get("/api/v1/runs/run-1/logs")).path("items").path(0);

        assertThat(chunk.path("text").asText()).isEqualTo("first\nsecond ✓");
        assertThat(chunk.path("stream").asText()).isEqualTo("stderr");
        assertThat(chunk.path("step").asText()).isEqualTo("split");
    }
}
