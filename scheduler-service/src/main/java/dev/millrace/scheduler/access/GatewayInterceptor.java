package dev.millrace.scheduler.access;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/**
 * Lets only gateways name the address of their caller: a program that shows the token of a gateway beside the token of
 * its caller, or one on the machine of the server. The header of all others is removed, before anybody reads it. The
 * token of a gateway gives no other rights.
 */
public final class GatewayInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("millrace-gateway-authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Credentials credentials;
    private final ServerInterceptor authentication;
    private final FailedLogins failures = new FailedLogins();

    /**
     * Stands before the authentication of callers.
     *
     * @param authentication finds out who the caller of the gateway is
     */
    public GatewayInterceptor(Credentials credentials, ServerInterceptor authentication) {
        this.credentials = credentials;
        this.authentication = authentication;
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String authorization = headers.get(AUTHORIZATION);
        if (authorization == null) {
            if (!Confidentiality.isLoopback(call.getAttributes())) {
                ClientAddress.forget(headers);
            }
            return authentication.interceptCall(call, headers, next);
        }
        String token = BearerToken.in(authorization);
        if (!credentials.isToken(token)) {
            return Denied.close(call, Denied.badGateway());
        }
        Optional<Access> remembered = credentials.findRemembered(token);
        return remembered.isPresent()
                ? serveIfGateway(remembered, call, headers, next)
                : lookUp(token, call, headers, next);
    }

    private <Q, A> Listener<Q> lookUp(
            String token, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        PostponedListener<Q> events = new PostponedListener<>();
        Thread.startVirtualThread(
                Context.current().wrap(() -> events.passTo(serveIfKnown(token, call, headers, next))));
        return events;
    }

    private <Q, A> Listener<Q> serveIfKnown(
            String token, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        try {
            String peer = ClientAddress.ofPeer(call);
            boolean isRemembered = credentials.isRemembered(token);
            if (!isRemembered) {
                failures.requireFew(peer, () -> credentials.isKnown(token));
            }
            Optional<Access> found = credentials.find(token);
            if (found.isEmpty() && !isRemembered) {
                failures.count(peer);
            }
            return serveIfGateway(found, call, headers, next);
        } catch (RuntimeException failure) {
            return Denied.close(call, failure);
        }
    }

    private <Q, A> Listener<Q> serveIfGateway(
            Optional<Access> shown, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        return shown.filter(access -> access.caller().kind() == CallerKind.GATEWAY)
                        .isPresent()
                ? authentication.interceptCall(call, headers, next)
                : Denied.close(call, Denied.badGateway());
    }
}
