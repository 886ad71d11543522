package dev.millrace.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CliRunner;
import dev.millrace.cli.client.Json;
import dev.millrace.scheduler.doctor.Finding;
import dev.millrace.scheduler.doctor.Finding.Level;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the doctor finds on the machine. */
class DoctorChecksTest {
    private final Path folder;

    DoctorChecksTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @Test
    void warnsBeforeACertificateEnds() throws IOException, CertificateException {
        assertThat(CliRunner.run(
                                "certs", "dev", "--out", folder.resolve("certs").toString())
                        .exitCode())
                .isZero();
        Path file = folder.resolve("certs/server.pem");
        Instant end;
        try (InputStream in = Files.newInputStream(file)) {
            end = ((X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in))
                    .getNotAfter()
                    .toInstant();
        }

        assertThat(level(file, end.minus(Duration.ofDays(40)))).isEqualTo(Level.OK);
        assertThat(level(file, end.minus(Duration.ofDays(10)))).isEqualTo(Level.WARNING);
        assertThat(level(file, end.plusSeconds(1))).isEqualTo(Level.ERROR);
        assertThat(level(file, Instant.EPOCH)).isEqualTo(Level.ERROR);
        assertThat(level(folder.resolve("missing"), end)).isEqualTo(Level.ERROR);
    }

    @Test
    void warnsOfKeysThatEverybodyMayRead() throws IOException {
        Path key = Files.writeString(folder.resolve("key"), "secret");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(CertificateCheck.key("a.key", key).advice()).contains("chmod 600 " + key);

        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThat(CertificateCheck.key("a.key", key).level()).isEqualTo(Level.OK);
    }

    @Test
    void looksWhetherSomethingListens() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
            assertThat(MachineCheck.port("gateway", "127.0.0.1", port, "millrace gateway")
                            .level())
                    .isEqualTo(Level.OK);
        }
        Finding closed = MachineCheck.port("gateway", "127.0.0.1", port, "millrace gateway");
        assertThat(closed.level()).isEqualTo(Level.WARNING);
        assertThat(closed.advice()).contains("`millrace gateway`");
    }

    @Test
    void findsFullDisks() {
        assertThat(MachineCheck.disk("state", folder, 100L << 20).level()).isEqualTo(Level.ERROR);
        assertThat(MachineCheck.disk("state", folder, 1L << 30).level()).isEqualTo(Level.WARNING);
        assertThat(MachineCheck.disk("state", folder, 9L << 30).level()).isEqualTo(Level.OK);
        assertThat(MachineCheck.disk("state", folder.resolve("not/there")).text())
                .contains("MiB free");
    }

    @Test
    void reportsToProgramsAndFailsOnErrors() {
        CliRunner.Outcome said =
                CliRunner.run("doctor", "--database", "postgres://nobody@127.0.0.1:1/none", "--output", "json");

        JsonNode report = Json.parse(said.output()).orElseThrow();
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(report.path("healthy").asBoolean()).isFalse();
        assertThat(report.path("findings").path(0).path("subject").asText()).isEqualTo("database");
        assertThat(report.path("findings").path(0).path("level").asText()).isEqualTo("error");
        assertThat(report.path("findings").path(0).path("advice").asText()).contains("millrace.database.url");
    }

    private static Level level(Path file, Instant now) {
        return CertificateCheck.certificate("a.certificate", file, now).level();
    }
}
