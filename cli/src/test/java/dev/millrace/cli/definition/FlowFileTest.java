package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowFileTest {
    @TempDir
    private Path home;

    private Path flow;

    @BeforeEach
    void writeFiles() throws IOException {
        flow = Files.createDirectories(home.resolve("flow/scripts")).resolveSibling("flow.yaml");
        Files.writeString(flow, "millrace: v1");
        Files.writeString(home.resolve("secret.py"), "SECRET");
        Files.writeString(home.resolve("flow/scripts/inner.py"), "INNER");
    }

    @Test
    void sendsScriptsOfItsFolder() {
        try (FakeGateway gateway = naming("scripts/inner.py")) {
            CliRunner.Outcome outcome = CliRunner.run("flows", "validate", flow.toString(), "--server", gateway.url());

            assertThat(outcome.exitCode()).isZero();
            assertThat(gateway.requests().getLast().body().toString()).contains("INNER");
        }
    }

    @Test
    void sendsNothingFromOutsideOfItsFolder() throws IOException {
        Files.createSymbolicLink(home.resolve("flow/link.py"), home.resolve("secret.py"));
        for (String path : new String[] {
            "../secret.py",
            "scripts/../../secret.py",
            "link.py",
            home.resolve("secret.py").toString()
        }) {
            try (FakeGateway gateway = naming(path)) {
                CliRunner.Outcome outcome =
                        CliRunner.run("flows", "validate", flow.toString(), "--server", gateway.url());

                assertThat(outcome.exitCode()).isNotZero();
                assertThat(outcome.errors())
                        .contains("The flow names the script \"" + path + "\"", "outside the flow's folder");
                assertThat(gateway.requests())
                        .noneMatch(request -> request.body().toString().contains("SECRET"));
            }
        }
    }

    private static FakeGateway naming(String script) {
        FakeGateway gateway = FakeGateway.start();
        gateway.on(
                "POST /flows:validate",
                200,
                "{\"name\":\"f\",\"script_paths\":[\"%s\"],\"problems\":[]}".formatted(script.replace('\\', '/')));
        return gateway;
    }
}
