package dev.millrace.cli.eventhandler;

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

class EventHandlerCommandsTest {
    @AutoClose
    private final FakeGateway gateway = FakeGateway.start();

    @Test
    void namesTheFileAndTheHandlerThatIsRefused(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("paid.yaml");
        Files.writeString(file, "{name: shop/paid, event: 'pigeon:x', actions: [], active: true}");
        gateway.on("PUT /event-handlers/shop/paid", 400, "{\"detail\":\"There is no sink pigeon.\"}");

        Outcome outcome = CliRunner.run("event-handlers", "apply", file.toString(), "--server=" + gateway.url());

        assertThat(outcome.exitCode()).isEqualTo(ExitCode.INVALID.number());
        assertThat(outcome.errors()).isEqualTo(file + ": event handler \"shop/paid\": There is no sink pigeon.\n");
    }
}
