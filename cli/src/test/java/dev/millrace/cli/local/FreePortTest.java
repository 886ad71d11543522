package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreePortTest {
    @Test
    void isRequired() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> FreePort.require("gateway", other.getLocalPort(), "--http-port"))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("The port " + other.getLocalPort() + " of the gateway is taken")
                    .hasMessageContaining("--http-port");
        }
        FreePort.require("gateway", FreePort.any(), "--http-port");
        FreePort.require("gateway", 0, "--http-port");
    }

    @Test
    void isRequiredBeforeAnythingStarts(@TempDir Path folder) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CliRunner.Outcome outcome = CliRunner.run(
                    "dev",
                    "--data-dir",
                    folder.resolve("data").toString(),
                    "--http-port",
                    String.valueOf(other.getLocalPort()));

            assertThat(outcome.exitCode()).isEqualTo(7);
            assertThat(outcome.errors()).startsWith("The port " + other.getLocalPort());
        }
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void isNoMatterWhereAnotherUsesTheData(@TempDir Path folder) {
        Path data = folder.resolve("data");
        try (DataFolderLock other = DataFolderLock.acquire(data)) {
            CliRunner.Outcome outcome =
                    CliRunner.run("dev", "--data-dir", other.data().toString());

            assertThat(outcome.exitCode()).isEqualTo(7);
            assertThat(outcome.errors()).startsWith("Another './millrace dev'");
        }
    }
}
