package dev.millrace.scheduler.access;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Optional;

/**
 * Finds out who calls, before anything of the call is read, and puts the {@link Access} into its context. A token that
 * is in memory costs a hash and a look-up; any other is looked up on a thread that may wait. A call from within this
 * process comes from a worker of the scheduler's own, and needs no token.
 */
public final class AuthenticationInterceptor implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final RpcChecks checks;
    private final Credentials credentials;
    private final LocalCallers local;
    private final OpenStreams streams;
    private final Refusals refusals;
    private final FailedLogins failures = new FailedLogins();

    public AuthenticationInterceptor(
            RpcChecks checks, Credentials credentials, LocalCallers local, OpenStreams streams, Refusals refusals) {
        this.checks = checks;
        this.credentials = credentials;
        this.local = local;
        this.streams = streams;
        this.refusals = refusals;
    }

    /** Whether the call shows no token, and its caller is not trusted without one. Never waits. */
    public boolean isOfStranger(ServerCall<?, ?> call, Metadata headers) {
        return !Confidentiality.isInProcess(call.getAttributes())
                && !headers.containsKey(AUTHORIZATION)
                && !local.include(call, headers);
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (Confidentiality.isInProcess(call.getAttributes())) {
            return Contexts.interceptCall(Access.OWN_WORKER.in(Context.current()), call, headers, next);
        }
        String authorization = headers.get(AUTHORIZATION);
        if (authorization == null) {
            return withoutToken(call, headers, next);
        }
        String token = BearerToken.in(authorization);
        if (!credentials.isToken(token)) {
            return refuse(call, headers, Denied.badCredential());
        }
        Optional<Access> remembered = credentials.findRemembered(token);
        return remembered.isPresent()
                ? serve(remembered.get(), token, call, headers, next)
                : lookUp(token, call, headers, next);
    }

    private <Q, A> Listener<Q> withoutToken(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (local.include(call, headers)) {
            return Contexts.interceptCall(Access.LOCAL.in(Context.current()), call, headers, next);
        }
        if (checks.of(call.getMethodDescriptor()).rule().isOpen()) {
            return Contexts.interceptCall(Access.ANONYMOUS.in(Context.current()), call, headers, next);
        }
        return refuse(call, headers, Denied.unauthenticated());
    }

    /** Looks the token up on another thread; the events of the call wait until it has been found. */
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
            String address = ClientAddress.of(call, headers);
            boolean isRemembered = credentials.isRemembered(token);
            if (!isRemembered) {
                failures.requireFew(address, () -> credentials.isKnown(token));
            }
            Optional<Access> found = credentials.find(token);
            if (found.isPresent()) {
                return serve(found.get(), token, call, headers, next);
            }
            if (!isRemembered) {
                failures.count(address);
            }
            return refuse(call, headers, Denied.badCredential());
        } catch (RuntimeException failure) {
            return refuse(call, headers, failure);
        }
    }

    private <Q, A> Listener<Q> serve(
            Access access, String token, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Context context = access.in(Context.current());
        if (isUnary(call)) {
            return Contexts.interceptCall(context, call, headers, next);
        }
        return streams.serve(access, token, call, guarded -> Contexts.interceptCall(context, guarded, headers, next));
    }

    private static boolean isUnary(ServerCall<?, ?> call) {
        var type = call.getMethodDescriptor().getType();
        return type.clientSendsOneMessage() && type.serverSendsOneMessage();
    }

    private <Q> Listener<Q> refuse(ServerCall<Q, ?> call, Metadata headers, RuntimeException reason) {
        refusals.refused(call, headers, reason);
        return Denied.close(call, reason);
    }
}
