package dev.millrace.handler.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Certificate;
import dev.millrace.certificate.Validity;
import dev.millrace.handler.TestJob;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections with TLS to a server whose certificate comes from an authority that Java does not know. */
class PostgresqlTlsTest {
    private static final Authority AUTHORITY = Authority.create("shop", Validity.ofNext(Duration.ofHours(1)));

    @TempDir
    private static Path folder = Path.of("");

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws Exception {
        Certificate certificate = AUTHORITY.issueForServer(List.of("localhost"), Validity.ofNext(Duration.ofHours(1)));
        Path key = Files.writeString(folder.resolve("server.key"), certificate.keyPem());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Path file = Files.writeString(folder.resolve("server.crt"), certificate.certificatePem());
        server = EmbeddedPostgres.builder()
                .setServerConfig("ssl", "on")
                .setServerConfig("ssl_key_file", key.toString())
                .setServerConfig("ssl_cert_file", file.toString())
                .start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void encryptsUnlessToldOtherwise() throws InterruptedException {
        assertThat(isEncrypted("localhost", "prefer", "")).isEqualTo("[{\"ssl\":true}]");
        assertThat(isEncrypted("localhost", "require", "")).isEqualTo("[{\"ssl\":true}]");
        assertThat(isEncrypted("localhost", "disable", "")).isEqualTo("[{\"ssl\":false}]");
    }

    @Test
    void trustsTheAuthorityOfTheResource() throws InterruptedException {
        String pem = AUTHORITY.certificate().certificatePem();

        assertThat(isEncrypted("localhost", "verify-full", pem)).isEqualTo("[{\"ssl\":true}]");
    }

    @Test
    void refusesUnknownAuthoritiesAndOtherHosts() {
        String known = AUTHORITY.certificate().certificatePem();
        String other = Authority.create("other", Validity.ofNext(Duration.ofHours(1)))
                .certificate()
                .certificatePem();

        assertThatThrownBy(() -> isEncrypted("localhost", "verify-full", "")).hasMessageContaining("SQLSTATE 08006");
        assertThatThrownBy(() -> isEncrypted("localhost", "verify-full", other)).hasMessageContaining("SQLSTATE 08006");
        assertThatThrownBy(() -> isEncrypted("127.0.0.1", "verify-full", known))
                .hasMessageContaining("could not be verified");
    }

    /** The drivers read such texts as names of files and variables. */
    @Test
    void readsNoFileInPlaceOfACertificate() {
        for (String source : new String[] {"file:/etc/passwd", "env:PATH", "sys:user.home", "/etc/passwd"}) {
            assertThatThrownBy(() -> isEncrypted("localhost", "verify-full", source))
                    .hasMessageContaining("is no certificate");
        }
    }

    private static String isEncrypted(String host, String sslmode, String pem) throws InterruptedException {
        TestJob job = TestJob.of(
                "{'database': {'host': '%s', 'port': %d, 'user': 'postgres', 'dbname': 'postgres', 'sslmode': '%s',"
                        + " 'root_certificate_pem': %s}}",
                host, server.getPort(), sslmode, new TextNode(pem));
        byte[] result = new Postgresql(new SqlServerOptions(true))
                .run("select ssl from pg_stat_ssl where pid = pg_backend_pid()", job, 1_000);
        return new String(result, UTF_8);
    }
}
