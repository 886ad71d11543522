package dev.millrace.scheduler.postgres;

import dev.millrace.certificate.Certificate;
import dev.millrace.scheduler.testing.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** TLS in front of a Postgres that has none, as the protocol of Postgres asks for it. */
final class TlsDoor implements AutoCloseable {
    /** Length of the request for TLS, and the answer that there is TLS. */
    private static final int REQUEST_BYTES = 8;

    private static final char[] PASSWORD = "trials".toCharArray();

    private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final SSLContext tls;
    private final URI behind;
    private final AtomicInteger handshakes = new AtomicInteger();

    private TlsDoor(SSLContext tls, URI behind) throws IOException {
        this.tls = tls;
        this.behind = behind;
    }

    static TlsDoor open(Certificate certificate, TestDatabase database) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(KeyStore.getDefaultType());
        keys.load(null, PASSWORD);
        keys.setKeyEntry(
                "server", certificate.key(), PASSWORD, new java.security.cert.Certificate[] {certificate.certificate()
                });
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);
        TlsDoor door = new TlsDoor(
                tls, URI.create(database.config().location().jdbcUrl().substring("jdbc:".length())));
        Thread.startVirtualThread(door::accept);
        return door;
    }

    int port() {
        return server.getLocalPort();
    }

    String database() {
        return behind.getPath().substring(1);
    }

    /** Number of clients that have accepted the certificate. */
    int handshakes() {
        return handshakes.get();
    }

    private void accept() {
        try {
            while (!server.isClosed()) {
                Socket client = server.accept();
                Thread.startVirtualThread(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket plain) {
        try (plain;
                Socket database = new Socket(behind.getHost(), behind.getPort())) {
            byte[] asked = plain.getInputStream().readNBytes(REQUEST_BYTES);
            if (asked.length < REQUEST_BYTES) {
                return;
            }
            plain.getOutputStream().write('S');
            SSLSocket client = (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", port(), true);
            client.setUseClientMode(false);
            client.startHandshake();
            handshakes.incrementAndGet();
            Thread back = Thread.startVirtualThread(() -> pass(database, client));
            pass(client, database);
            back.join();
        } catch (IOException refused) {
            // The client does not trust the certificate.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pass(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException closed) {
            // One side has gone.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
