package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowsDeployCommandTest {
    private final FakeGateway gateway = FakeGateway.start();

    @TempDir
    private Path folder = Path.of("");

    private Path flow = Path.of("");

    @BeforeEach
    void writeFlow() throws IOException {
        flow = Files.writeString(folder.resolve("flow.yaml"), "millrace: v1\nname: shop/order\n");
    }

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    @Test
    void waitsForThePreparationsAndFailsIfOneFails() {
        deploys();
        String failed =
                "{\"id\": \"r1\", \"state\": \"failed\", \"error\": {\"name\": \"LoadError\", \"message\": \"b.ts:1:2 is no number\"}}";
        gateway.onStream("GET /runs/r1/events", "run", failed, "end", "{}").on("GET /runs/r1", 200, failed);

        CliRunner.Outcome outcome =
                CliRunner.run("flows", "deploy", flow.toString(), "--wait", "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.RUN_FAILED.number());
        assertThat(outcome.output()).contains("Deployed flow shop/order.");
        assertThat(outcome.errors()).contains("b.ts:1:2 is no number");
    }

    @Test
    void warnsAtOnceOfWhatAPreparationFinds() {
        gateway.on("POST /flows:validate", 200, "{\"script_paths\":[],\"problems\":[]}")
                .on("POST /flows:validate", 200, """
                        {"script_paths": [], "problems": [],
                         "warnings": [{"line": 3, "column": 5, "message": "The script b.py takes no \\"m\\".", "remedy": "Remove it."}]}""")
                .on(
                        "POST /flows",
                        201,
                        "{\"path\": \"shop/order\", \"hash\": \"1\", \"preparation_run_ids\": [\"r1\"]}");
        String failed =
                "{\"id\": \"r1\", \"state\": \"failed\", \"error\": {\"name\": \"SchemaError\", \"message\": \"b.py:1:2: SyntaxError\"}}";
        gateway.onStream("GET /runs/r1/events", "run", failed, "end", "{}").on("GET /runs/r1", 200, failed);

        CliRunner.Outcome outcome = CliRunner.run("flows", "deploy", flow.toString(), "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.errors().lines())
                .containsExactly(
                        "warning: b.py:1:2: SyntaxError",
                        "warning: " + flow + ":3:5: The script b.py takes no \"m\". Remove it.");
    }

    @Test
    void saysHowToWatchThePreparations() {
        deploys();

        CliRunner.Outcome outcome = CliRunner.run("flows", "deploy", flow.toString(), "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.errors()).contains("are being prepared: ./millrace runs watch r1");
    }

    private void deploys() {
        gateway.on("POST /flows:validate", 200, "{\"script_paths\":[],\"problems\":[]}")
                .on(
                        "POST /flows",
                        201,
                        "{\"path\": \"shop/order\", \"hash\": \"1\", \"preparation_run_ids\": [\"r1\"]}");
    }

    @Test
    void aDryRunShowsWhatWouldChangeAndDeploysNothing() {
        plans("""
                {"flow": {"path": "shop/order", "hash": "2", "scripts": [{"path": "a.py", "hash": "a2"}, {"path": "b.py", "hash": "b"}]},
                 "current": {"path": "shop/order", "hash": "1", "definition": "millrace: v1\\nname: order\\n",
                   "scripts": [{"path": "a.py", "hash": "a1"}, {"path": "c.py", "hash": "c"}]},
                 "warnings": [], "triggers": [{"kind": "schedule", "path": "shop/order/nightly", "change": "created"}]}""");

        CliRunner.Outcome outcome = dryRun("--path", "shop/order");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output().lines())
                .containsExactly(
                        "--- shop/order as it is deployed",
                        "+++ " + flow,
                        "@@ -1,2 +1,2 @@",
                        " millrace: v1",
                        "-name: order",
                        "+name: shop/order",
                        "The script a.py would change.",
                        "The script b.py would be added.",
                        "The script c.py would no longer be used.",
                        "The schedule shop/order/nightly of its file would be created.",
                        "Nothing was deployed.");
        assertThat(gateway.requests()).extracting(FakeGateway.Request::path).noneMatch(path -> path.endsWith("/flows"));
        assertThat(gateway.requests().getLast().body().path("path").asText()).isEqualTo("shop/order");
    }

    @Test
    void aDryRunSaysThatAFlowIsNewOrTheSame() {
        plans("{\"flow\": {\"path\": \"shop/order\", \"hash\": \"2\"}, \"triggers\": []}");
        plans("""
                {"flow": {"path": "shop/order", "hash": "2"}, "triggers": [],
                 "current": {"path": "shop/order", "hash": "2", "definition": "millrace: v1\\nname: shop/order\\n"}}""");
        plans("""
                {"flow": {"path": "shop/order", "hash": "3"}, "triggers": [],
                 "current": {"path": "shop/order", "hash": "2", "definition": "millrace: v1\\nname: shop/order\\n"}}""");

        assertThat(dryRun().output()).contains("The flow shop/order would be new.");
        assertThat(dryRun().output()).contains("Nothing would change");
        assertThat(dryRun().output()).contains("would get another version: its sub-flows have changed");
    }

    @Test
    void aDryRunShowsTheChangedLinesOfAScript() throws IOException {
        Files.writeString(folder.resolve("a.py"), "def main():\n    return 2\n");
        gateway.on("POST /flows:validate", 200, "{\"problems\":[],\"script_paths\":[\"a.py\"]}")
                .on("POST /flows:plan", 200, """
                        {"flow": {"path": "shop/order", "hash": "2", "scripts": [{"path": "a.py", "hash": "a2"}]}, "triggers": [],
                         "current": {"path": "shop/order", "hash": "1", "definition": "millrace: v1\\nname: shop/order\\n",
                           "scripts": [{"path": "a.py", "hash": "a1"}]}}""")
                .on("GET /scripts/a.py", 200, "{\"content\":\"def main():\\n    return 1\\n\"}");

        assertThat(dryRun().output().lines())
                .containsExactly(
                        "The script a.py would change.",
                        "--- a.py as it is deployed",
                        "+++ a.py",
                        "@@ -1,2 +1,2 @@",
                        " def main():",
                        "-    return 1",
                        "+    return 2",
                        "Nothing was deployed.");
    }

    @Test
    void tellsTheAddressOfADeclaredWebhook() {
        gateway.on("POST /flows:validate", 200, "{\"problems\":[],\"script_paths\":[]}")
                .on("POST /flows", 201, """
                {"path": "shop/order", "hash": "2", "triggers": [
                  {"kind": "webhook", "path": "shop/order/incoming", "change": "created"},
                  {"kind": "webhook", "path": "shop/order/gone", "change": "deleted"}]}""");

        CliRunner.Outcome outcome = CliRunner.run("flows", "deploy", flow.toString(), "--server", gateway.url());

        assertThat(outcome.output().lines())
                .startsWith(
                        "The webhook shop/order/incoming of its file was created. Its address is " + gateway.url()
                                + "/hooks/default/shop/order/incoming.",
                        "The webhook shop/order/gone of its file was deleted.");
    }

    private void plans(String answer) {
        gateway.on("POST /flows:validate", 200, "{\"problems\":[],\"script_paths\":[]}")
                .on("POST /flows:plan", 200, answer);
    }

    @Test
    void aDryRunFailsAsTheDeploymentWould() {
        gateway.on("POST /flows:validate", 200, """
                {"script_paths":[],"problems":[{"line":2,"column":1,"path":"name","message":"Bad name.","remedy":"Correct it."}]}""");

        CliRunner.Outcome outcome = dryRun();

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.errors()).contains("Bad name.");
    }

    private CliRunner.Outcome dryRun(String... more) {
        String[] arguments = {"flows", "deploy", flow.toString(), "--dry-run", "--server", gateway.url()};
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return CliRunner.run(all);
    }
}
