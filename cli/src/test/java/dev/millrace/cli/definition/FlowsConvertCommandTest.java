package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowsConvertCommandTest {
    private final FakeGateway gateway = FakeGateway.start();

    @TempDir
    private Path folder = Path.of("");

    private Path flow = Path.of("");

    @BeforeEach
    void writeFlow() throws IOException {
        flow = Files.writeString(folder.resolve("flow.json"), "{}");
        Files.writeString(folder.resolve("beside.py"), "def main(): ...");
        gateway.on("POST /flows:validate", 200, "{\"problems\":[],\"script_paths\":[\"beside.py\"]}")
                .on("POST /flows:convert", 200, """
                        {"definition":"millrace: v1\\nsteps: []\\n","scripts":{"a.py":"pass"},"dialect":"openflow",
                         "warnings":[{"line":3,"column":1,"path":"cron","message":"Nothing runs it.","remedy":"Run it."}]}""");
    }

    @AfterEach
    void stopGateway() {
        gateway.close();
    }

    @Test
    void printsTheDefinitionAndNamesTheScriptsInsideTheOriginal() {
        CliRunner.Outcome outcome = run(flow.toString(), "--dialect", "openflow");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).isEqualToIgnoringNewLines("millrace: v1\nsteps: []");
        assertThat(outcome.errors()).contains("a.py", "--to").contains("warning: ", "Nothing runs it.");
        FakeGateway.Request convert = gateway.requests().getLast();
        assertThat(convert.body().path("dialect").asText()).isEqualTo("openflow");
        assertThat(convert.body().path("files").path("beside.py").asText()).isEqualTo("def main(): ...");
    }

    @Test
    void printsTheAnswerAsJson() {
        assertThat(run(flow.toString(), "--output", "json").output()).contains("\"dialect\": \"openflow\"");
    }

    @Test
    void writesTheDefinitionWithAllItsScripts() {
        Path target = folder.resolve("converted");

        assertThat(run(flow.toString(), "--to", target.toString()).exitCode()).isZero();

        assertThat(target.resolve("flow.yaml")).hasContent("millrace: v1\nsteps: []\n");
        assertThat(target.resolve("a.py")).hasContent("pass");
        assertThat(target.resolve("beside.py")).hasContent("def main(): ...");
    }

    @Test
    void overwritesNothing() throws IOException {
        Files.writeString(folder.resolve("a.py"), "mine");

        CliRunner.Outcome outcome = run(flow.toString(), "--to", folder.toString());

        assertThat(outcome.exitCode()).isEqualTo(5);
        assertThat(outcome.errors()).contains("a.py exists already");
        assertThat(folder.resolve("flow.yaml")).doesNotExist();
    }

    private CliRunner.Outcome run(String... arguments) {
        List<String> all = new ArrayList<>(List.of("flows", "convert"));
        all.addAll(List.of(arguments));
        all.add("--server=" + gateway.url());
        return CliRunner.run(all.toArray(String[]::new));
    }
}
