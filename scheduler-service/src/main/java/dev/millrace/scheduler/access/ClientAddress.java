package dev.millrace.scheduler.access;

import io.grpc.BindableService;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The address of whoever makes a call. A gateway names the address of its own caller; {@link GatewayInterceptor} removes
 * that header from the calls of others.
 */
public final class ClientAddress {
    private static final Metadata.Key<String> TOLD =
            Metadata.Key.of("millrace-client-address", Metadata.ASCII_STRING_MARSHALLER);
    /** Enough for an IPv6 address with its zone. */
    private static final int LENGTH_MAX = 64;

    private static final Context.Key<String> KEY = Context.key("millrace.client-address");

    private ClientAddress() {}

    /** The service, whose code may ask for the {@link #current} address. */
    public static BindableService shownTo(BindableService service) {
        return () -> ServerInterceptors.intercept(service, new Showing());
    }

    /** The address from which the call comes that the present thread serves; empty if the transport has none. */
    public static String current() {
        String address = KEY.get();
        if (address == null) {
            throw new IllegalStateException("this service does not see addresses: offer it by ClientAddress.shownTo");
        }
        return address;
    }

    /** The address as text; empty if the transport has none. */
    public static String of(ServerCall<?, ?> call, Metadata headers) {
        String told = headers.get(TOLD);
        return told != null && told.length() <= LENGTH_MAX ? told : ofPeer(call);
    }

    /** The address at the other end of the connection, be it of a gateway; empty if the transport has none. */
    static String ofPeer(ServerCall<?, ?> call) {
        if (!(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress peer)) {
            return "";
        }
        @Nullable InetAddress address = peer.getAddress();
        return address == null ? peer.getHostString() : address.getHostAddress();
    }

    /** Removes the address that a caller names who may not. */
    static void forget(Metadata headers) {
        headers.discardAll(TOLD);
    }

    private static final class Showing implements ServerInterceptor {
        @Override
        public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            return Contexts.interceptCall(Context.current().withValue(KEY, of(call, headers)), call, headers, next);
        }
    }
}
