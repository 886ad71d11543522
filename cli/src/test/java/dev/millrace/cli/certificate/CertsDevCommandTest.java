package dev.millrace.cli.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.tls.KeyFiles;
import dev.millrace.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertsDevCommandTest {
    private final Path folder;

    CertsDevCommandTest(@TempDir Path parent) {
        this.folder = parent.resolve("certs");
    }

    @Test
    void makesCertificatesThatServicesCanUse() throws Exception {
        CliRunner.Outcome made = make("--host", "scheduler.example", "192.0.2.7");

        assertThat(made.exitCode()).isZero();
        assertThat(made.output())
                .contains("export MILLRACE_GRPC_TLS_CERTIFICATE=" + folder.resolve("server.pem"))
                .contains("export MILLRACE_SCHEDULER_TLS_CA=" + folder.resolve("ca.pem"));
        for (String name : List.of("server", "client")) {
            KeyFiles files = new KeyFiles(folder.resolve(name + ".pem"), folder.resolve(name + ".key"));
            try (TlsFiles usable = TlsFiles.open(Optional.of(files), Optional.of(folder.resolve("ca.pem")))) {
                assertThat(usable.keyManager()).isPresent();
            }
            certificate(name).verify(certificate("ca").getPublicKey());
        }
        assertThat(certificate("server").getSubjectAlternativeNames())
                .map(name -> String.valueOf(name.get(1)))
                .containsExactlyInAnyOrder(
                        "scheduler.example", "192.0.2.7", "localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    }

    @Test
    void letsOnlyThisUserReadKeys() throws IOException {
        make();

        for (String key : List.of("ca.key", "server.key", "client.key")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(key))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void replacesNothingUnlessForced() throws IOException {
        make();
        String first = Files.readString(folder.resolve("ca.pem"));

        CliRunner.Outcome again = make();
        assertThat(again.exitCode()).isNotZero();
        assertThat(again.errors()).contains("--force");
        assertThat(Files.readString(folder.resolve("ca.pem"))).isEqualTo(first);

        assertThat(make("--force").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("ca.pem"))).isNotEqualTo(first);
    }

    @Test
    void refusesWhatIsNoNameOfAHost() {
        CliRunner.Outcome refused = make("--host", "999.999.1.1");

        assertThat(refused.exitCode()).isNotZero();
        assertThat(refused.errors()).contains("--host: 999.999.1.1");
    }

    private CliRunner.Outcome make(String... further) {
        String[] arguments = new String[further.length + 4];
        System.arraycopy(further, 0, arguments, 4, further.length);
        System.arraycopy(new String[] {"certs", "dev", "--out", folder.toString()}, 0, arguments, 0, 4);
        return CliRunner.run(arguments);
    }

    private X509Certificate certificate(String name) throws Exception {
        try (var in = Files.newInputStream(folder.resolve(name + ".pem"))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
