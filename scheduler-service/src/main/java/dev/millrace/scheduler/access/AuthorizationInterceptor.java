package dev.millrace.scheduler.access;

import com.google.protobuf.Message;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request reach its service only if the rule of the method allows it to the caller. Each message of a stream is
 * checked. It runs where calls may wait, and inside the translation of errors. Answers with secrets go only to callers
 * whose connection nobody else can read.
 */
public final class AuthorizationInterceptor implements ServerInterceptor {
    private final RpcChecks checks;

    public AuthorizationInterceptor(RpcChecks checks) {
        this.checks = checks;
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        RpcCheck check = checks.of(call.getMethodDescriptor());
        if (check.rule().isConfidential() && !Confidentiality.isKept(call)) {
            return Denied.close(call, Denied.plaintext(call));
        }
        Access access = Access.current();
        Listener<Q> served = next.startCall(new NamingCall<>(call, check), headers);
        return call.getMethodDescriptor().getType().clientSendsOneMessage()
                ? new OneRequest<>(served, check, access)
                : new EachRequest<>(served, check, access);
    }

    /** A call whose responses show the present names of workspaces. */
    private static final class NamingCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final RpcCheck check;

        NamingCall(ServerCall<Q, A> call, RpcCheck check) {
            super(call);
            this.check = check;
        }

        @Override
        @SuppressWarnings("unchecked") // a message keeps its type when names in it change
        public void sendMessage(A message) {
            super.sendMessage(message instanceof Message response ? (A) check.withNames(response) : message);
        }
    }

    /** Checks the request when it is complete, because the thread that delivers it must not wait. */
    private static final class OneRequest<Q> extends SimpleForwardingServerCallListener<Q> {
        private final RpcCheck check;
        private final Access access;
        private @Nullable Q request;

        OneRequest(Listener<Q> served, RpcCheck check, Access access) {
            super(served);
            this.check = check;
            this.access = access;
        }

        @Override
        public void onMessage(Q message) {
            request = message;
        }

        @Override
        public void onHalfClose() {
            if (request != null) {
                super.onMessage(checked(check, access, request));
            }
            super.onHalfClose();
        }
    }

    private static final class EachRequest<Q> extends SimpleForwardingServerCallListener<Q> {
        private final RpcCheck check;
        private final Access access;

        EachRequest(Listener<Q> served, RpcCheck check, Access access) {
            super(served);
            this.check = check;
            this.access = access;
        }

        @Override
        public void onMessage(Q message) {
            super.onMessage(checked(check, access, message));
        }
    }

    /** The request as its service gets it: it is allowed, and names workspaces by their keys. */
    @SuppressWarnings("unchecked") // a message keeps its type when names in it change
    private static <Q> Q checked(RpcCheck check, Access access, Q message) {
        if (!(message instanceof Message request)) {
            return message;
        }
        Message keyed = check.withKeys(request);
        check.require(access, keyed);
        return (Q) keyed;
    }
}
