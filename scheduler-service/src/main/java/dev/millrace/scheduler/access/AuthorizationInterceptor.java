package dev.millrace.scheduler.access;

import com.google.protobuf.Message;
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
        Listener<Q> served = next.startCall(call, headers);
        return call.getMethodDescriptor().getType().clientSendsOneMessage()
                ? new OneRequest<>(served, check, access)
                : new EachRequest<>(served, check, access);
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
            super.onMessage(message);
        }

        @Override
        public void onHalfClose() {
            if (request instanceof Message message) {
                check.require(access, message);
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
            if (message instanceof Message request) {
                check.require(access, request);
            }
            super.onMessage(message);
        }
    }
}
