package dev.millrace.e2e.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Someone takes away what nobody is to run any more. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class DeleteTest {
    private static final String FLOW = """
            millrace: v1
            name: delete/calls
            steps:
              - {id: go, wait: {signal: go}}
              - {id: say, script: delete-step.py}
            """;

    @Test
    void letsRunsInProgressEndAndRefusesNewOnes(Installation installation) {
        Api api = installation.api();
        Cli cli = new Cli(installation.cluster().gatewayUrl());
        api.deployScript("delete-step.py", "def main():\n    return 'done'\n");
        api.deployFlow(FLOW, Map.of());
        String run = api.submit(Map.of("target", Map.of("flow", "delete/calls")));

        Cli.Outcome script = cli.run("scripts", "delete", "delete-step.py");
        assertThat(script.exitCode()).isNotZero();
        assertThat(script.errors()).contains("delete-step.py is used by the flow delete/calls", run);
        Cli.Outcome flow = cli.run("flows", "delete", "delete/calls");
        assertThat(flow.errors()).contains("delete/calls is used by the run in progress " + run);

        assertThat(cli.run("flows", "delete", "delete/calls", "--force").exitCode())
                .isZero();
        assertThat(cli.run("scripts", "delete", "delete-step.py", "--force").exitCode())
                .isZero();

        api.post("/api/v1/runs", Map.of("target", Map.of("flow", "delete/calls")))
                .problem(404, "flow_not_found");
        api.post("/api/v1/runs", Map.of("target", Map.of("script", "delete-step.py")))
                .problem(404, "script_not_found");
        assertThat(cli.run("runs", "signal", run, "go").exitCode()).isZero();
        assertThat(api.awaitEnd(run).path("output").asText()).isEqualTo("done");
    }
}
