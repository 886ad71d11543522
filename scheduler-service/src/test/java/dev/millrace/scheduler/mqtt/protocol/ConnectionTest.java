package dev.millrace.scheduler.mqtt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Certificate;
import dev.millrace.certificate.Validity;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class ConnectionTest {
    private static final Validity DAY = Validity.ofNext(Duration.ofDays(1));
    private static final char[] NO_PASSWORD = {};
    private static final int MESSAGE_BYTES_MAX = 1_000;
    /** More than the buffers of both sockets hold. */
    private static final int BYTES_MANY = 64 << 20;

    /** The end of TLS waits for a thread that sends, and that thread for the broker. */
    @Test
    void leavesABrokerBehindTlsThatTakesNothing() throws Exception {
        Authority authority = Authority.create("trials", DAY);
        InetAddress here = InetAddress.getLoopbackAddress();
        try (SSLServerSocket door = (SSLServerSocket) tls(authority.issueForServer(List.of("localhost"), DAY))
                .getServerSocketFactory()
                .createServerSocket(0, 1, here)) {
            CompletableFuture<SSLSocket> client = CompletableFuture.supplyAsync(() -> shakeHands(door));
            Broker broker = Broker.of(Map.of(
                    "url",
                    "mqtts://localhost:" + door.getLocalPort(),
                    "root_certificate_pem",
                    authority.certificate().certificatePem()));
            Connection connection =
                    Connection.open(broker, new InetAddress[] {here}, MESSAGE_BYTES_MAX, Duration.ofSeconds(1));

            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(connection));

            assertThat(sent).failsWithin(60, TimeUnit.SECONDS);
            client.join().close();
        }
    }

    private static SSLSocket shakeHands(SSLServerSocket door) {
        try {
            SSLSocket client = (SSLSocket) door.accept();
            client.startHandshake();
            return client;
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private static void send(Connection connection) {
        try {
            connection.send(new byte[BYTES_MANY]);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static SSLContext tls(Certificate certificate) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null, NO_PASSWORD);
        keys.setKeyEntry("broker", certificate.key(), NO_PASSWORD, new java.security.cert.Certificate[] {
            certificate.certificate()
        });
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }
}
