package dev.millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Certificate;
import dev.millrace.certificate.Validity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with TLS, over real connections. */
class GatewayTlsTest {
    private static final Validity DAY = Validity.ofNext(Duration.ofDays(1));
    private static final Authority AUTHORITY = Authority.create("trials", DAY);
    private static final Authority OTHER = Authority.create("somebody else", DAY);
    private static final Duration RENEWAL_TIME_MAX = Duration.ofSeconds(60);

    private final Path certificate;
    private final Path key;

    GatewayTlsTest(@TempDir Path folder) {
        certificate = folder.resolve("server.pem");
        key = folder.resolve("server.key");
    }

    @Test
    void servesOverTlsAndRenewsItsCertificateWhileConnectionsLive() throws Exception {
        write(AUTHORITY);
        try (Gateway gateway = start();
                HttpClient old = client(AUTHORITY)) {
            assertThat(get(old, gateway)).isEqualTo(200);

            write(OTHER);
            awaitTrusted(OTHER, gateway);

            assertThat(get(old, gateway)).isEqualTo(200);
            try (HttpClient again = client(AUTHORITY)) {
                assertThatThrownBy(() -> get(again, gateway)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void startsWithNoFileThatCannotBeUsed() throws IOException {
        write(AUTHORITY);
        Files.writeString(key, "nothing");

        assertThatThrownBy(GatewayTlsTest.this::start).hasMessageContaining(key + " holds no private key");
    }

    private Gateway start() {
        return Gateway.start(GatewayConfig.of(Map.of(
                "millrace.http.port",
                "0",
                "millrace.http.tls.certificate",
                certificate.toString(),
                "millrace.http.tls.key",
                key.toString(),
                "millrace.scheduler.target",
                "localhost:1")));
    }

    private void write(Authority authority) throws IOException {
        Certificate server = authority.issueForServer(List.of("localhost"), DAY);
        Files.writeString(certificate, server.certificatePem());
        Files.writeString(key, server.keyPem());
    }

    private static void awaitTrusted(Authority authority, Gateway gateway) throws Exception {
        long end = System.nanoTime() + RENEWAL_TIME_MAX.toNanos();
        while (true) {
            try (HttpClient client = client(authority)) {
                assertThat(get(client, gateway)).isEqualTo(200);
                return;
            } catch (IOException notYet) {
                assertThat(System.nanoTime()).as("time of the renewal").isLessThan(end);
                Thread.onSpinWait();
            }
        }
    }

    private static int get(HttpClient client, Gateway gateway) throws IOException, InterruptedException {
        URI live = URI.create("https://localhost:" + gateway.port() + "/livez");
        return client.send(HttpRequest.newBuilder(live).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static HttpClient client(Authority trusted) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("authority", trusted.certificate().certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(tls).build();
    }
}
