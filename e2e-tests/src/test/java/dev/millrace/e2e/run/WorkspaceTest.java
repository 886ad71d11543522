package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that the contents of a workspace are found only in that workspace, over REST and on the command line. */
@ExtendWith(SharedInstallation.class)
final class WorkspaceTest {
    private static final String HOME = "/api/v1/workspaces/e2e-team";

    @Test
    void keepsItsScriptsAndRunsToItself(Installation installation) {
        Api api = installation.api();
        for (String name : List.of("e2e-team", "e2e-other")) {
            api.post("/api/v1/workspaces", Map.of("name", name)).ok();
        }
        var cli = new Cli(installation.cluster().gatewayUrl());
        api.post(HOME + "/scripts", Map.of("path", "team/own.py", "content", "def main(): return 'ours'"))
                .ok();
        Map<String, Object> spec = Map.of("target", Map.of("script", "team/own.py"));

        String run = api.post(HOME + "/runs?wait=30s", spec).ok().path("id").asText();
        var shown = cli.run("runs", "get", run, "--workspace", "e2e-team");
        var elsewhere = cli.run("runs", "get", run);
        var foreign = cli.run("runs", "cancel", run, "--workspace", "e2e-other");

        assertThat(api.get(HOME + "/runs/" + run).ok().path("output").asText()).isEqualTo("ours");
        assertThat(shown.exitCode()).as(shown.errors()).isZero();
        assertThat(shown.output()).contains("ours");
        assertThat(elsewhere.errors()).contains("There is no run " + run);
        assertThat(foreign.errors()).contains("There is no run " + run);
        assertThat(api.get("/api/v1/runs/" + run).problem(404, "run_not_found")).contains(run);
        assertThat(api.post("/api/v1/runs", spec).problem(404, "script_not_found"))
                .contains("workspace default");
    }
}
