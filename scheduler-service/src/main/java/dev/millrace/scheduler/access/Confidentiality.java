package dev.millrace.scheduler.access;

import dev.millrace.tls.InProcess;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Whether somebody on a network between caller and server could read a call. */
public final class Confidentiality {
    private Confidentiality() {}

    /** Whether the connection of the call uses TLS, or does not leave the machine. */
    public static boolean isKept(ServerCall<?, ?> call) {
        Attributes connection = call.getAttributes();
        return connection.get(Grpc.TRANSPORT_ATTR_SSL_SESSION) != null
                || isLoopback(connection)
                || isInProcess(connection);
    }

    /** Whether the other end of the connection is in this process. */
    static boolean isInProcess(Attributes connection) {
        return InProcess.isPeer(connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    }

    /** Whether the other end of the connection is on this machine. */
    static boolean isLoopback(Attributes connection) {
        @Nullable SocketAddress peer = connection.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        return peer instanceof InetSocketAddress address
                && address.getAddress() != null
                && address.getAddress().isLoopbackAddress();
    }
}
