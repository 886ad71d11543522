package dev.millrace.gateway.rpc;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.access.CallerOrigin;
import dev.millrace.gateway.access.Credential;
import dev.millrace.gateway.access.GatewayToken;
import dev.millrace.gateway.access.Site;
import dev.millrace.gateway.access.TrustedProxies;
import dev.millrace.gateway.problem.TraceId;
import dev.millrace.telemetry.Traceparent;
import dev.millrace.telemetry.Tracestate;
import io.grpc.Metadata;
import java.util.Locale;
import java.util.Optional;

/**
 * What the scheduler learns of the caller with each call: the caller's token, whether the caller is on the machine of
 * the gateway, and from which address it calls. The scheduler believes the address beside a token of the gateway, or if
 * it comes from its own machine.
 *
 * @param site names of the gateway, which decide the name of the cookie
 * @param listeningHost address on which the gateway listens
 * @param proxies whose word counts for the address of the caller
 * @param gatewayToken token of the gateway itself, which gives no rights
 */
public record CallHeaders(
        Site site, String listeningHost, TrustedProxies proxies, Optional<GatewayToken> gatewayToken) {

    static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> ORIGIN = key("millrace-origin");
    private static final Metadata.Key<String> CLIENT_ADDRESS = key("millrace-client-address");
    private static final Metadata.Key<String> GATEWAY = key("millrace-gateway-authorization");

    private static final Metadata.Key<String> TRACEPARENT = key(TraceId.HEADER);
    private static final Metadata.Key<String> TRACESTATE = key(Tracestate.HEADER);

    private static final String BEARER = "Bearer ";

    Metadata of(ServiceRequestContext context) {
        return of(context, Credential.of(context, site).shown());
    }

    /** What a request shows of its caller. */
    Caller caller(ServiceRequestContext context) {
        return caller(context, Credential.of(context, site).shown());
    }

    private Caller caller(ServiceRequestContext context, Optional<String> shown) {
        var headers = context.request().headers();
        return new Caller(
                shown,
                CallerOrigin.of(headers, context.remoteAddress(), listeningHost),
                proxies.clientOf(headers, context.remoteAddress()));
    }

    /** @param shown the token to show in place of that of the request; absent to show none */
    Metadata of(ServiceRequestContext context, Optional<String> shown) {
        var metadata = of(caller(context, shown));
        var trace = TraceId.callContext(context);
        if (!trace.isEmpty()) {
            metadata.put(TRACEPARENT, Traceparent.headerOf(trace));
            var state = Traceparent.stateOf(trace);
            if (!state.isEmpty()) {
                metadata.put(TRACESTATE, state);
            }
        }
        return metadata;
    }

    /** The headers of a call that belongs to no request. */
    Metadata of(Caller caller) {
        var metadata = new Metadata();
        caller.token().ifPresent(token -> metadata.put(AUTHORIZATION, BEARER + token));
        gatewayToken.ifPresent(token -> metadata.put(GATEWAY, BEARER + token.current()));
        metadata.put(ORIGIN, caller.origin().name().toLowerCase(Locale.ROOT));
        metadata.put(CLIENT_ADDRESS, caller.address());
        return metadata;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    @Override
    public String toString() {
        return "CallHeaders[hidden]";
    }
}
