package dev.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Validity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
    private static final Authority AUTHORITY = TestFiles.authority("trials");

    private final Path folder;
    private final TestFiles files;

    TlsFilesTest(@TempDir Path folder) {
        this.folder = folder;
        this.files = new TestFiles(folder);
    }

    @Test
    void showsARenewedCertificateOnceItHasSettled() throws Exception {
        try (TlsFiles tls = open(files.server(AUTHORITY))) {
            X509ExtendedKeyManager keys = tls.keyManager().orElseThrow();
            X509Certificate first = shown(keys);

            files.server(AUTHORITY);
            tls.check();
            assertThat(shown(keys)).isEqualTo(first);
            tls.check();
            assertThat(shown(keys)).isNotEqualTo(first);
        }
    }

    @Test
    void finishesAHandshakeWithTheCertificateWithWhichItBegan() throws Exception {
        try (TlsFiles tls = open(files.server(AUTHORITY))) {
            X509ExtendedKeyManager keys = tls.keyManager().orElseThrow();
            String alias = alias(keys);
            X509Certificate begun = keys.getCertificateChain(alias)[0];

            files.server(AUTHORITY);
            TestFiles.settle(tls);

            assertThat(alias(keys)).isNotEqualTo(alias);
            assertThat(keys.getCertificateChain(alias)[0]).isEqualTo(begun);
        }
    }

    @Test
    void keepsTheOldCertificateWhileTheFilesCannotBeUsed() throws Exception {
        KeyFiles server = files.server(AUTHORITY);
        try (TlsFiles tls = open(server)) {
            X509ExtendedKeyManager keys = tls.keyManager().orElseThrow();
            X509Certificate first = shown(keys);

            Files.writeString(server.certificate(), "-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----");
            TestFiles.settle(tls);
            assertThat(shown(keys)).isEqualTo(first);

            Files.delete(server.certificate());
            TestFiles.settle(tls);
            assertThat(shown(keys)).isEqualTo(first);

            files.server(AUTHORITY);
            TestFiles.settle(tls);
            assertThat(shown(keys)).isNotEqualTo(first);
        }
    }

    @Test
    void refusesAKeyOfAnotherCertificate() {
        KeyFiles one = files.server(AUTHORITY);
        KeyFiles other = files.client(AUTHORITY);

        assertThatThrownBy(() -> open(new KeyFiles(one.certificate(), other.key())))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("does not belong to the certificate in " + one.certificate());
    }

    @Test
    void refusesAnExpiredCertificate() {
        Instant now = Instant.now();
        Validity past = new Validity(now.minusSeconds(7200), now.minusSeconds(3600));
        KeyFiles old = files.write("server", AUTHORITY.issueForServer(List.of("localhost"), past));

        assertThatThrownBy(() -> open(old)).isInstanceOf(TlsException.class).hasMessageContaining("expired at");
    }

    @Test
    void saysHowToConvertAKeyOfAnOlderForm() throws IOException {
        KeyFiles server = files.server(AUTHORITY);
        Files.writeString(server.key(), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");

        assertThatThrownBy(() -> open(server))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt -in " + server.key());
    }

    @Test
    void namesAFileThatIsMissing() {
        KeyFiles server = files.server(AUTHORITY);

        assertThatThrownBy(() -> open(new KeyFiles(folder.resolve("nothing"), server.key())))
                .isInstanceOf(TlsException.class)
                .hasMessageContaining(folder.resolve("nothing") + " cannot be read");
    }

    @Test
    void readsAChainWithComments() {
        String own = AUTHORITY.certificate().certificatePem();

        assertThat(Pem.certificates(files.write("chain.pem", "A comment.\n" + own + "# Another\n" + own)))
                .hasSize(2);
    }

    private static TlsFiles open(KeyFiles server) {
        return TestFiles.unwatched(server, Optional.empty());
    }

    private static String alias(X509ExtendedKeyManager keys) throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        return keys.chooseEngineServerAlias("EC", null, engine);
    }

    private static X509Certificate shown(X509ExtendedKeyManager keys) throws Exception {
        return keys.getCertificateChain(alias(keys))[0];
    }
}
