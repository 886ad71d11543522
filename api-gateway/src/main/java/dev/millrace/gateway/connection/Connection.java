package dev.millrace.gateway.connection;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AttributeKey;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a caller: a stranger's until the scheduler has accepted a token that was shown on it. A stranger may have
 * fewer open requests, because it costs an attacker nothing to be one.
 *
 * <p>HTTP/2 refuses streams beyond the limit by itself ({@code REFUSED_STREAM}), which clients repeat. HTTP/1.1 has no such
 * answer: a client that sends more requests ahead of their answers loses its connection. Thread-safe.
 */
public final class Connection {

    /** Largest number of open requests on an HTTP/2 connection of a stranger. Browsers have fewer while they load a page. */
    static final int STREAMS_OF_STRANGERS_MAX = 100;

    /** Largest number of open requests on a recognized HTTP/2 connection, which may be that of a proxy for many callers. */
    static final int STREAMS_MAX = 1_000;

    /** Largest number of HTTP/1.1 requests of a stranger that wait for their answers, the first one included. */
    static final int PIPELINED_OF_STRANGERS_MAX = 16;

    /** Largest number of HTTP/1.1 requests that wait for their answers on a recognized connection. */
    static final int PIPELINED_MAX = 64;

    private static final AttributeKey<Connection> KEY = AttributeKey.valueOf(Connection.class, "of-channel");

    private final Channel channel;
    private final boolean isMultiplex;
    private final AtomicInteger openRequests = new AtomicInteger();
    private final AtomicBoolean recognized = new AtomicBoolean();

    private Connection(Channel channel, boolean isMultiplex) {
        this.channel = channel;
        this.isMultiplex = isMultiplex;
    }

    /** The connection of a request; the first request on it puts the limits of strangers into force. */
    static Connection of(ServiceRequestContext context) {
        var channel = channelOf(context);
        if (channel == null) {
            throw new IllegalStateException("The request at " + context.path() + " has no connection.");
        }
        var attribute = channel.attr(KEY);
        var known = attribute.get();
        if (known == null) {
            known = new Connection(channel, context.sessionProtocol().isMultiplex());
            attribute.set(known);
            // A client may withhold its acknowledgment of our settings, and no limit would hold until then.
            known.limitStreams(STREAMS_OF_STRANGERS_MAX);
        }
        return known;
    }

    /** Notes that the scheduler has accepted the token of a request. */
    public static void recognize(ServiceRequestContext context) {
        var channel = channelOf(context);
        var connection = channel == null ? null : channel.attr(KEY).get();
        if (connection != null && connection.recognized.compareAndSet(false, true) && connection.isMultiplex) {
            connection.channel.eventLoop().execute(connection::allowMoreStreams);
        }
    }

    /** Whether the request came on a connection that {@link #recognize} has noted. */
    public static boolean isRecognized(ServiceRequestContext context) {
        var channel = channelOf(context);
        var connection = channel == null ? null : channel.attr(KEY).get();
        return connection != null && connection.isRecognized();
    }

    private static @Nullable Channel channelOf(ServiceRequestContext context) {
        return context.log().partial().channel();
    }

    boolean isRecognized() {
        return recognized.get();
    }

    /** Counts one more open request. Returns false if there are too many; {@link #leave} counts it off either way. */
    boolean enter() {
        int open = openRequests.incrementAndGet();
        return isMultiplex || open <= (isRecognized() ? PIPELINED_MAX : PIPELINED_OF_STRANGERS_MAX);
    }

    /** Returns how many requests are left. */
    int leave() {
        return openRequests.decrementAndGet();
    }

    int openRequests() {
        return openRequests.get();
    }

    /**
     * Closes it with all its requests, whose answers would cost memory. Next to the socket, because the handler of HTTP/2 would
     * wait until all streams have ended.
     */
    void close() {
        var nextToSocket = channel.pipeline().firstContext();
        if (nextToSocket != null) {
            var _ = nextToSocket.close();
        }
    }

    private void allowMoreStreams() {
        limitStreams(STREAMS_MAX);
        var context = channel.pipeline().context(Http2ConnectionHandler.class);
        if (context != null) {
            var handler = (Http2ConnectionHandler) context.handler();
            var _ = handler.encoder()
                    .writeSettings(
                            context, new Http2Settings().maxConcurrentStreams(STREAMS_MAX), context.newPromise());
            context.flush();
        }
    }

    private void limitStreams(int streams) {
        var handler = channel.pipeline().get(Http2ConnectionHandler.class);
        if (handler != null) {
            handler.connection().remote().maxActiveStreams(streams);
        }
    }
}
