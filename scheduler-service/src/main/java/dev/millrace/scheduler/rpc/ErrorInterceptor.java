package dev.millrace.scheduler.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives every failure its status, whether a service throws it or hands it to its observer. */
final class ErrorInterceptor implements ServerInterceptor {
    private static final Logger log = LoggerFactory.getLogger(ErrorInterceptor.class);

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        ServerCall<Q, A> translating = new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                Throwable cause = status.getCause();
                if (status.getCode() == Status.Code.UNKNOWN && cause != null) {
                    closeFor(cause, delegate());
                } else {
                    super.close(status, trailers);
                }
            }
        };
        return new SimpleForwardingServerCallListener<>(next.startCall(translating, headers)) {
            @Override
            public void onMessage(Q message) {
                guard(() -> super.onMessage(message));
            }

            @Override
            public void onHalfClose() {
                guard(super::onHalfClose);
            }

            @Override
            public void onReady() {
                guard(super::onReady);
            }

            @Override
            public void onCancel() {
                guard(super::onCancel);
            }

            @Override
            public void onComplete() {
                guard(super::onComplete);
            }

            private void guard(Runnable step) {
                try {
                    step.run();
                } catch (RuntimeException | Error failure) {
                    closeFor(failure, call);
                }
            }
        };
    }

    private static void closeFor(Throwable failure, ServerCall<?, ?> call) {
        StatusRuntimeException status = ErrorStatus.of(failure);
        if (ErrorStatus.isDefect(status)) {
            log.atError()
                    .addKeyValue("method", call.getMethodDescriptor().getFullMethodName())
                    .setCause(failure)
                    .log("A call failed for a reason of our own");
        }
        Metadata trailers = status.getTrailers();
        try {
            call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
        } catch (IllegalStateException alreadyClosed) {
            log.atDebug().setCause(alreadyClosed).log("A call failed after its end");
        }
    }
}
