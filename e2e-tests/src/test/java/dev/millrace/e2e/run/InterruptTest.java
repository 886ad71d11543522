package dev.millrace.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.Gate;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A user presses Ctrl-C while the command line shows a run. */
@ExtendWith(SharedInstallation.class)
final class InterruptTest {
    /** Exit code of a process that an interrupt ended, as shells report it. */
    private static final int INTERRUPTED = 130;

    private static final String FLOW = """
            millrace: v1
            name: run/interrupted
            inputs: {gate: {type: object}}
            steps:
              - {id: works, script: gate.py, input: "${{ inputs.gate }}"}
            """;

    @Test
    void saysThatTheRunGoesOn(Installation installation, @TempDir Path folder) throws Exception {
        Api api = installation.api();
        var gate = new Gate(folder);
        api.deployFlow(FLOW, Map.of("gate.py", Gate.PYTHON));
        String run =
                api.submit(Map.of("target", Map.of("flow", "run/interrupted"), "input", Map.of("gate", gate.input())));
        Path errors = folder.resolve("errors");
        Process watch = new Cli(installation.cluster().gatewayUrl()).start(errors, "runs", "watch", run);
        assertThat(watch.inputReader(StandardCharsets.UTF_8).readLine()).isNotEmpty();

        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(watch.pid()))
                        .start()
                        .waitFor())
                .isZero();

        assertThat(watch.waitFor()).isEqualTo(INTERRUPTED);
        assertThat(Files.readString(errors))
                .contains(
                        "Run " + run + " continues.",
                        "./millrace runs watch " + run.substring(28),
                        "./millrace runs cancel " + run.substring(28));
        assertThat(api.get("/api/v1/runs/" + run).ok().path("state").asText()).isEqualTo("running");
        gate.open();
        api.awaitEnd(run);
    }
}
