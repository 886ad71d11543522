package dev.millrace.harness;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Proxy between two processes with which a test disturbs their connections: it holds back or drops bytes of either
 * direction, makes connections silent forever, or resets them. Open connections and later ones are controlled
 * separately. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final Duration CONNECT_WAIT_MAX = Duration.ofSeconds(5);

    /** Direction in which bytes travel. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    /** What the proxy does with bytes. */
    public enum Flow {
        /** Forwards them. */
        PASS,
        /** Keeps them, as a stopped process would, and forwards them later. */
        HOLD,
        /**
         * Drops them, while both ends believe that the connection is intact. An open connection stays in this state,
         * since a stream cannot continue after a gap.
         */
        DROP
    }

    private final ServerSocket listener;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Map<Direction, Flow> flowOfNew = new EnumMap<>(Direction.class);
    private volatile InetSocketAddress server;

    private TcpProxy(InetSocketAddress server) {
        this.server = server;
        for (Direction direction : Direction.values()) {
            flowOfNew.put(direction, Flow.PASS);
        }
        try {
            listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot listen.", e);
        }
    }

    /** Listens on a free port and connects each client to this port of the same machine. */
    public static TcpProxy to(int serverPort) {
        var proxy = new TcpProxy(loopback(serverPort));
        Thread.ofVirtual().name("proxy-accept").start(proxy::accept);
        return proxy;
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Connects later clients to another port; open connections stay where they are. */
    public void retarget(int serverPort) {
        server = loopback(serverPort);
    }

    /** Sets the flow of one direction, on open connections and later ones. */
    public void set(Direction direction, Flow flow) {
        synchronized (flowOfNew) {
            flowOfNew.put(requireNonNull(direction, "direction is null"), requireNonNull(flow, "flow is null"));
        }
        links.forEach(link -> link.set(direction, flow));
    }

    /** Sets the flow of both directions, on open connections and later ones. */
    public void set(Flow flow) {
        for (Direction direction : Direction.values()) {
            set(direction, flow);
        }
    }

    /** Makes the open connections half-open: they pass no bytes and do not end. Later connections are unaffected. */
    public void silenceOpenConnections() {
        links.forEach(link -> {
            for (Direction direction : Direction.values()) {
                link.set(direction, Flow.DROP);
            }
        });
    }

    /** Ends all open connections with a reset. */
    public void reset() {
        links.forEach(Link::reset);
    }

    public int connections() {
        return links.size();
    }

    @Override
    public void close() {
        closeQuietly(listener);
        links.forEach(Link::reset);
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Thread.ofVirtual().name("proxy-connect").start(() -> connect(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket client) {
        var upstream = new Socket();
        try {
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            upstream.connect(server, (int) CONNECT_WAIT_MAX.toMillis());
        } catch (IOException nobodyThere) {
            closeQuietly(upstream);
            abort(client);
            return;
        }
        Link link;
        synchronized (flowOfNew) {
            link = new Link(client, upstream, new EnumMap<>(flowOfNew));
            links.add(link);
        }
        Thread.ofVirtual().name("proxy-to-client").start(() -> link.pump(Direction.TO_CLIENT));
        link.pump(Direction.TO_SERVER);
    }

    /** One connection through the proxy. Its monitor guards its flows. */
    private final class Link {
        private final Socket client;
        private final Socket upstream;
        private final Map<Direction, Flow> flows;

        Link(Socket client, Socket upstream, Map<Direction, Flow> flows) {
            this.client = client;
            this.upstream = upstream;
            this.flows = flows;
        }

        synchronized void set(Direction direction, Flow flow) {
            flows.computeIfPresent(direction, (_, before) -> before == Flow.DROP ? before : flow);
            notifyAll();
        }

        /** Forwards bytes of one direction until either end closes, and then closes both sides in the same way. */
        void pump(Direction direction) {
            Socket from = direction == Direction.TO_SERVER ? client : upstream;
            Socket to = direction == Direction.TO_SERVER ? upstream : client;
            var buffer = new byte[BUFFER_BYTES];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (awaitFlow(direction) == Flow.PASS) {
                        out.write(buffer, 0, count);
                    }
                }
                if (awaitFlow(direction) == Flow.PASS) {
                    to.shutdownOutput();
                    if (from.isOutputShutdown()) {
                        end();
                    }
                }
            } catch (IOException broken) {
                if (flow(direction) != Flow.DROP) {
                    reset();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                reset();
            }
        }

        /** Waits while bytes are held back. */
        private synchronized Flow awaitFlow(Direction direction) throws InterruptedException {
            while (flow(direction) == Flow.HOLD && !client.isClosed()) {
                wait();
            }
            return flow(direction);
        }

        private synchronized Flow flow(Direction direction) {
            return requireNonNull(flows.get(direction), "every direction has a flow");
        }

        private void end() {
            links.remove(this);
            closeQuietly(client);
            closeQuietly(upstream);
        }

        void reset() {
            links.remove(this);
            abort(client);
            abort(upstream);
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** Closes a socket with a reset instead of a regular end. */
    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            // A closed socket needs no reset.
        }
        closeQuietly(socket);
    }

    private static void closeQuietly(@Nullable AutoCloseable socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (Exception alreadyBroken) {
            // The other end sees the connection break, too.
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
