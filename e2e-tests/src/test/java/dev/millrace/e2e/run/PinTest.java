package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that are to stay. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class PinTest {
    @Test
    void pinsAndUnpinsARun(Installation installation) {
        Api api = installation.api();
        var cli = new Cli(installation.cluster().gatewayUrl());
        api.deployFlow("{millrace: v1, name: run/pinned, steps: [{id: a, value: 1}]}", Map.of());
        String run = api.runToEnd(Map.of("target", Map.of("flow", "run/pinned")))
                .path("id")
                .asText();

        var pinned = cli.run("runs", "pin", run, "--reason", "evidence", "--actor", "ada");
        var listed = cli.run("runs", "pinned");
        api.post("/api/v1/runs/" + run + ":unpin", Map.of("actor", "bob")).ok();

        assertThat(pinned.exitCode()).as(pinned.errors()).isZero();
        assertThat(listed.output()).contains(run, "ada", "evidence");
        assertThat(api.get("/api/v1/pinned-runs").ok().findValuesAsText("run_id"))
                .doesNotContain(run);
        assertThat(api.get("/api/v1/runs/" + run + "/operations").ok().findValuesAsText("operation"))
                .isEqualTo(List.of("pin", "unpin"));
        assertThat(api.post("/api/v1/runs/00000000-0000-7000-8000-000000000000:pin", Map.of())
                        .status())
                .isEqualTo(404);
    }
}
