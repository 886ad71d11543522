package dev.millrace.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.FakeGateway;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.MillraceClient;
import dev.millrace.cli.definition.Preparation;
import dev.millrace.cli.definition.SourceFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderDeploymentTest {
    private static final String FLOW = "millrace: v1\nname: shop\nsteps: [{id: a, script: a.py}]\n";

    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @AutoClose
    private final MillraceClient client = new MillraceClient(URI.create(gateway.url()));

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void answerValidations() {
        gateway.on("POST /flows:validate", 200, "{\"script_paths\":[],\"problems\":[]}");
    }

    @Test
    void deploysWhatHasChangedOnly() throws IOException {
        write("a.py", "def main(): return 1");
        write("deep/b.ts", "export const main = () => 1;");
        write("flow.yaml", FLOW);
        answerScripts("a1", "b1", "a2");
        gateway.on("POST /flows", 201, flow("f1")).on("POST /flows", 201, flow("f2"));
        FolderDeployment deployment = new FolderDeployment(client, List.of(folder));

        assertThat(deployment.deployChanged())
                .isEqualTo(new FolderDeployment.Outcome(
                        List.of("a1", "b1"), List.of("shop"), List.of(), List.of(), List.of(), List.of()));
        assertThat(deployment.deployChanged())
                .isEqualTo(
                        new FolderDeployment.Outcome(List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));

        write("a.py", "def main(): return 2");
        assertThat(deployment.deployChanged())
                .as("the script, and the flow that it may be part of")
                .isEqualTo(new FolderDeployment.Outcome(
                        List.of("a2"), List.of("shop"), List.of(), List.of(), List.of(), List.of()));
        assertThat(sent("/scripts")).hasSize(3).last().asString().contains("return 2");
        assertThat(sent("/flows")).hasSize(2);
    }

    @Test
    void namesNoVersionThatWasThereBefore() throws IOException {
        write("a.py", "def main(): return 1");
        gateway.on("POST /scripts", 201, script("a1"));
        FolderDeployment deployment = new FolderDeployment(client, List.of(folder));
        deployment.deployChanged();

        write("a.py", "def main(): return 1  ");

        assertThat(deployment.deployChanged().scripts()).isEmpty();
    }

    @Test
    void namesTheRunsThatTellWhetherAllIsInOrder() throws IOException {
        write("a.ts", "export const main = () => 1;");
        write("flow.yaml", FLOW);
        gateway.on(
                        "POST /scripts",
                        201,
                        "{\"path\":\"a.ts\",\"hash\":\"a\",\"package_run_id\":\"r1\",\"schema_run_id\":\"r2\"}")
                .on("POST /flows", 201, "{\"path\":\"shop\",\"hash\":\"f\",\"preparation_run_ids\":[\"r3\"]}");

        assertThat(new FolderDeployment(client, List.of(folder)).deployChanged().preparations())
                .containsExactly(
                        new Preparation("a.ts", "r1"), new Preparation("a.ts", "r2"), new Preparation("shop", "r3"));
    }

    @Test
    void passesOnTheWarningsAboutAFlow() throws IOException {
        write("flow.yaml", FLOW);
        gateway.on("POST /flows", 201, """
                {"path": "shop", "hash": "f",
                 "warnings": [{"line": 6, "column": 15, "message": "The script a.py takes no \\"m\\".", "remedy": "Remove it."}]}""");

        assertThat(new FolderDeployment(client, List.of(folder)).deployChanged().warnings())
                .containsExactly("warning: " + folder.resolve("flow.yaml")
                        + ":6:15: The script a.py takes no \"m\". Remove it.");
    }

    @Test
    void goesOnAfterAFileThatIsRefusedAndTriesItAgainWhenItChanges() throws IOException {
        write("a.py", "def main(");
        write("b.py", "def main(): return 1");
        gateway.on("POST /scripts", 400, "{\"detail\":\"This is no Python.\"}")
                .on("POST /scripts", 201, script("b1"))
                .on("POST /scripts", 201, script("a1"));
        FolderDeployment deployment = new FolderDeployment(client, List.of(folder));

        assertThat(deployment.deployChanged())
                .isEqualTo(new FolderDeployment.Outcome(
                        List.of("b1"), List.of(), List.of("This is no Python."), List.of(), List.of(), List.of()));
        assertThat(deployment.deployChanged().problems()).as("said once").isEmpty();

        write("a.py", "def main(): return 1");
        assertThat(deployment.deployChanged())
                .isEqualTo(new FolderDeployment.Outcome(
                        List.of("a1"), List.of(), List.of(), List.of(), List.of(folder.resolve("a.py")), List.of()));
        assertThat(deployment.deployChanged().repaired()).as("said once").isEmpty();
    }

    @Test
    void findsScriptsAndFlowsAmongOtherFiles() throws IOException {
        for (String name : List.of(
                "a.py",
                "lib/b.mjs",
                "flow.json",
                "order.flow.yaml",
                "own.yml",
                "package.json",
                "values.yaml",
                "node_modules/c.js",
                ".venv/d.py",
                ".a.py",
                "__pycache__/e.py",
                "notes.txt")) {
            write(name, name.equals("own.yml") ? FLOW : "a: 1");
        }

        SourceFolder found = SourceFolder.list(folder);

        assertThat(found.scripts()).containsExactly(folder.resolve("a.py"), folder.resolve("lib/b.mjs"));
        assertThat(found.flows())
                .containsExactly(
                        folder.resolve("flow.json"), folder.resolve("order.flow.yaml"), folder.resolve("own.yml"));
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private void answerScripts(String... hashes) {
        for (String hash : hashes) {
            gateway.on("POST /scripts", 201, script(hash));
        }
    }

    private List<String> sent(String path) {
        return gateway.requests().stream()
                .filter(request -> request.path().equals(path))
                .map(request -> Json.compact(request.body()))
                .toList();
    }

    private static String script(String hash) {
        return "{\"path\":\"" + hash + "\",\"hash\":\"" + hash + "\"}";
    }

    private static String flow(String hash) {
        return "{\"path\":\"shop\",\"hash\":\"" + hash + "\"}";
    }
}
