package dev.millrace.scheduler.audit;

import com.google.protobuf.Message;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.audit.core.AuditOutcome;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records calls: those of audited methods, and those that are refused. It runs where calls may wait, around the check of
 * the caller's rights, and inside the translation of errors.
 *
 * <p>No answer of an audited call leaves the server before its event is stored.
 */
public final class AuditInterceptor implements ServerInterceptor {
    private final AuditTrail trail;

    public AuditInterceptor(AuditTrail trail) {
        this.trail = trail;
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Optional<AuditedMethod> method = trail.find(call.getMethodDescriptor());
        if (method.isEmpty()) {
            return next.startCall(call, headers);
        }
        Watch watch = new Watch(method.get(), Access.current(), () -> ClientAddress.of(call, headers));
        return new Requests<>(watch, call, next.startCall(new Answers<>(watch, call), headers));
    }

    /** What is known of one call. The events of a call are delivered one at a time. */
    private final class Watch {
        private final AuditedMethod method;
        private final Access access;
        private final Supplier<String> address;
        private @Nullable Message request;
        private @Nullable AuditedCall audited;
        private boolean isOver;

        Watch(AuditedMethod method, Access access, Supplier<String> address) {
            this.method = method;
            this.access = access;
            this.address = address;
        }

        void received(Message message) {
            request = message;
        }

        /** Forgets the request of a stream, because others follow. */
        void forget() {
            request = null;
        }

        /** Serves a complete request, on a thread that may wait. */
        void serve(Runnable work) {
            if (method.isAudited() && request != null) {
                AuditedCall call = new AuditedCall(trail.begin(method, access, address.get(), request));
                audited = call;
                call.serve(work);
            } else {
                work.run();
            }
        }

        void answers() {
            AuditedCall call = audited;
            if (call != null) {
                trail.succeeded(call);
            }
        }

        void fails(Throwable failure) {
            synchronized (this) {
                if (isOver) {
                    return;
                }
                isOver = true;
            }
            AuditedCall call = audited;
            Message known = request;
            AuditDetail detail = CallEnd.detail(AuditTrail.detail(method, access, known), failure);
            switch (CallEnd.outcome(failure)) {
                case DENIED ->
                    trail.denied((call == null ? trail.begin(method, access, address.get(), known) : call.event())
                            .ended(AuditOutcome.DENIED, detail.json()));
                case FAILED, UNKNOWN, ALLOWED -> {
                    if (call != null) {
                        trail.failed(call.event().ended(CallEnd.outcome(failure), detail.json()));
                    }
                }
            }
        }
    }

    private static final class Answers<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final Watch watch;

        Answers(Watch watch, ServerCall<Q, A> call) {
            super(call);
            this.watch = watch;
        }

        @Override
        public void sendMessage(A message) {
            watch.answers();
            super.sendMessage(message);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (status.isOk()) {
                watch.answers();
            } else {
                Throwable cause = status.getCause();
                watch.fails(
                        status.getCode() == Status.Code.UNKNOWN && cause != null
                                ? cause
                                : status.asRuntimeException(trailers));
            }
            super.close(status, trailers);
        }
    }

    private static final class Requests<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Watch watch;
        private final boolean isStream;

        Requests(Watch watch, ServerCall<Q, ?> call, Listener<Q> served) {
            super(served);
            this.watch = watch;
            this.isStream = !call.getMethodDescriptor().getType().clientSendsOneMessage();
        }

        @Override
        public void onMessage(Q message) {
            if (message instanceof Message request) {
                watch.received(request);
            }
            watched(() -> super.onMessage(message));
            if (isStream) {
                watch.forget();
            }
        }

        @Override
        public void onHalfClose() {
            watched(() -> watch.serve(super::onHalfClose));
        }

        private void watched(Runnable event) {
            try {
                event.run();
            } catch (RuntimeException | Error failure) {
                watch.fails(failure);
                throw failure;
            }
        }
    }
}
