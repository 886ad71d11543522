package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A user runs a file that differs from the deployed version of its path. */
@ExtendWith(SharedInstallation.class)
final class RunFileTest {
    private static final String FLOW = """
            millrace: v1
            name: run/tried
            steps:
              - {id: say, script: tried-step.py}
            """;

    @Test
    void leavesTheDeployedScriptAsItIs(Installation installation, @TempDir Path folder) throws IOException {
        Api api = installation.api();
        api.deployScript("tried.py", says("deployed"));
        Path file = Files.writeString(folder.resolve("tried.py"), says("tried"));

        Cli.Outcome outcome = new Cli(installation.cluster().gatewayUrl()).run("run", file.toString());

        assertThat(outcome.output()).isEqualTo("tried\n");
        assertThat(result(api, Map.of("script", "tried.py"))).isEqualTo("deployed");
        assertThat(api.get("/api/v1/runs?name=tried.py").ok().path("items"))
                .as("both are known by the script's path")
                .hasSize(2);
    }

    @Test
    void leavesTheDeployedFlowAsItIs(Installation installation, @TempDir Path folder) throws IOException {
        Api api = installation.api();
        api.deployFlow(FLOW, Map.of("tried-step.py", says("deployed with its flow")));
        Path file = Files.writeString(folder.resolve("flow.yaml"), FLOW);
        Files.writeString(folder.resolve("tried-step.py"), says("tried with its flow"));

        Cli.Outcome outcome = new Cli(installation.cluster().gatewayUrl()).run("run", file.toString());

        assertThat(outcome.output()).isEqualTo("tried with its flow\n");
        assertThat(result(api, Map.of("flow", "run/tried"))).isEqualTo("deployed with its flow");
    }

    private static String says(String word) {
        return "def main():\n    return '" + word + "'\n";
    }

    private static String result(Api api, Map<String, String> target) {
        return api.awaitEnd(api.submit(Map.of("target", target))).path("output").asText();
    }
}
