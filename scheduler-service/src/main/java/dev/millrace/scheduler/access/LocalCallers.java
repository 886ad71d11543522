package dev.millrace.scheduler.access;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.util.List;

/**
 * Decides which calls without a token come from the machine of the server, and from nobody behind a program there. It
 * is what lets people try Millrace without tokens.
 *
 * <p>A page in a browser reaches loopback addresses, too, under a name of its own (DNS rebinding), and so does everybody
 * behind a proxy. So the call must name a loopback host, and no proxy may have passed it on. The gateway says of each
 * call whether its own caller was local.
 */
public final class LocalCallers {
    /** Header by which a gateway says where its caller is: {@code local} or something else. */
    public static final Metadata.Key<String> ORIGIN = key("millrace-origin");

    private static final String LOCAL = "local";
    private static final List<Metadata.Key<String>> OF_PROXIES =
            List.of(key("forwarded"), key("x-forwarded-for"), key("x-forwarded-host"), key("x-real-ip"), key("via"));

    private final boolean areTrusted;

    private LocalCallers(boolean areTrusted) {
        this.areTrusted = areTrusted;
    }

    /** Trusts local callers if the server listens on a loopback address. */
    public static LocalCallers of(String host, boolean isTokenRequired) {
        return new LocalCallers(areTrusted(host, isTokenRequired));
    }

    /** Whether a server with these settings trusts callers on its own machine. */
    public static boolean areTrusted(String host, boolean isTokenRequired) {
        return !isTokenRequired && Loopback.isHost(host);
    }

    boolean include(ServerCall<?, ?> call, Metadata headers) {
        if (!areTrusted) {
            return false;
        }
        String origin = headers.get(ORIGIN);
        return (origin == null || origin.equals(LOCAL))
                && OF_PROXIES.stream().noneMatch(headers::containsKey)
                && Confidentiality.isLoopback(call.getAttributes())
                && Loopback.isAuthority(call.getAuthority());
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
