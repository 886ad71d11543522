package dev.millrace.cli.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CliRunner.Outcome;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TriggerCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void namesTheFileAndTheTriggerThatIsRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("pay.yaml");
        Files.writeString(file, """
                path: shop/pay
                run: {target: {flow: shop/order}}
                webhook: {scheme: github, secrets: [shop/key]}
                """);
        gateway.on("PUT /triggers/webhook/shop/pay", 404, "{\"detail\":\"There is no secret shop/key.\"}");

        Outcome outcome = CliRunner.run("triggers", "apply", file.toString(), "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(outcome.errors()).isEqualTo(file + ": webhook trigger \"shop/pay\": There is no secret shop/key.\n");
    }
}
