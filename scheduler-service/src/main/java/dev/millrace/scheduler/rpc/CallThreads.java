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
 * Decides which thread serves what happens to a call. The server itself runs everything on the threads of its connections; what may wait
 * goes to a virtual thread from here. A call with one request goes there once, when its request is complete: given to gRPC as its executor,
 * virtual threads would hand each part of such a call to and fro, three times before its method is reached.
 */
final class CallThreads implements ServerInterceptor {
    private final Set<String> waitFreeMethods;

    /** @param waitFreeMethods full names of methods that never wait: they stay on the threads of their connections */
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
     * Events in their order, one at a time. Up to the one from which on the call may wait, they are served where they come. Used by the
     * thread of the connection alone, except for what it hands on.
     */
    private static final class OnVirtualThread<Q> extends SimpleForwardingServerCallListener<Q> {
        private final Context context = Context.current();
        private final boolean isRequestKept;
        private @Nullable CompletableFuture<?> lastMoved;

        /** @param isRequestKept whether the request is only kept until all of it is there */
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
