package dev.millrace.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.harness.TcpProxy.Flow;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** Disturbances of a connection, and what each end sees of them. */
final class TcpProxyTest {
    /** How long the tests wait for a byte that must not arrive. */
    private static final int SILENT_MILLIS = 300;

    @Test
    void aConnectionThatMayHaveLostBytesPassesNoneEverAfter() throws Exception {
        try (var listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                TcpProxy proxy = TcpProxy.to(listener.getLocalPort());
                var client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket server = listener.accept()) {
            InputStream arriving = server.getInputStream();
            client.getOutputStream().write('a');
            assertThat(arriving.read()).isEqualTo('a');

            proxy.silenceOpenConnections();
            proxy.set(Flow.HOLD);
            proxy.set(Flow.PASS);
            client.getOutputStream().write('b');

            server.setSoTimeout(SILENT_MILLIS);
            assertThatThrownBy(arriving::read).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
