package dev.millrace.scheduler.rpc;

import io.grpc.Context;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides which thread serves the events of a call.
 *
 * <p>The server itself runs everything on the threads of its connections, and this interceptor moves events that may
 * wait to a virtual thread. A call with one request moves only once, when its request is complete. If virtual threads
 * were gRPC's executor, each such call would change threads three times before its method is called.
 */
final class CallThreads implements ServerInterceptor {
    private final Set<String> waitFreeMethods;

    /** @param waitFreeMethods full names of methods that never wait, which stay on the threads of their connections */
    CallThreads(Set<String> waitFreeMethods) {
        this.waitFreeMethods = Set.copyOf(waitFreeMethods);
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        Listener<Q> served = next.startCall(call, headers);
        return waitFreeMethods.contains(call.getMethodDescriptor().getFullMethodName())
                ? served
                : new OnVirtualThread<>(
                        served, call.getMethodDescriptor().getType().clientSendsOneMessage());
    }

    /**
     * Serves the events of a call one at a time and in order. The events before the first that may wait are served on
     * the thread of the connection. That thread alone uses this object, except for the events that it moves.
     */
    private static final class OnVirtualThread<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Context context = Context.current();
        private final boolean isRequestKept;
        private @Nullable CompletableFuture<?> lastMoved;

        /**
         * @param isRequestKept whether gRPC only keeps the request until the caller has half-closed the call
         */
        OnVirtualThread(Listener<Q> served, boolean isRequestKept) {
            super(served);
            this.isRequestKept = isRequestKept;
        }

        @Override
        public void onMessage(Q message) {
            if (isRequestKept) {
                super.onMessage(message);
            } else {
                move(() -> super.onMessage(message));
            }
        }

        @Override
        public void onHalfClose() {
            move(super::onHalfClose);
        }

        @Override
        public void onReady() {
            serve(super::onReady);
        }

        @Override
        public void onCancel() {
            serve(super::onCancel);
        }

        @Override
        public void onComplete() {
            serve(super::onComplete);
        }

        private void serve(Runnable event) {
            if (lastMoved == null) {
                event.run();
            } else {
                move(event);
            }
        }

        private void move(Runnable event) {
            CompletableFuture<?> before = lastMoved == null ? CompletableFuture.completedFuture(null) : lastMoved;
            lastMoved = before.thenRunAsync(context.wrap(event), Thread::startVirtualThread);
        }
    }
}
