package dev.millrace.scheduler.rpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates every failure into its gRPC status, whether a service throws it or passes it to its observer. */
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
            private boolean isRefused;

            // A message that could not be parsed arrives as null, see ReadableRequests.
            @Override
            public void onMessage(@Nullable Q message) {
                if (message == null) {
                    isRefused = true;
                    closeFor(malformed(call.getMethodDescriptor()), call);
                } else if (!isRefused) {
                    guard(() -> super.onMessage(message));
                }
            }

            @Override
            public void onHalfClose() {
                if (!isRefused) {
                    guard(super::onHalfClose);
                }
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

    private static StatusRuntimeException malformed(MethodDescriptor<?, ?> method) {
        return Status.INVALID_ARGUMENT
                .withDescription(
                        "The request of " + method.getFullMethodName()
                                + " is not a protobuf message of its type. Generate the client from the .proto files of this version.")
                .asRuntimeException();
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
