package dev.millrace.scheduler.access;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** The address of whoever makes a call. A gateway on the same machine names the address of its own caller. */
public final class ClientAddress {
    private static final Metadata.Key<String> TOLD =
            Metadata.Key.of("millrace-client-address", Metadata.ASCII_STRING_MARSHALLER);
    /** Enough for an IPv6 address with its zone. */
    private static final int LENGTH_MAX = 64;

    private ClientAddress() {}

    /** The address as text; empty if the transport has none. */
    static String of(ServerCall<?, ?> call, Metadata headers) {
        if (!(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress peer)) {
            return "";
        }
        @Nullable InetAddress address = peer.getAddress();
        if (address == null) {
            return peer.getHostString();
        }
        String told = headers.get(TOLD);
        return told != null && address.isLoopbackAddress() && told.length() <= LENGTH_MAX
                ? told
                : address.getHostAddress();
    }
}
