package dev.millrace.scheduler.rpc;

import com.google.protobuf.MessageLite;
import dev.millrace.scheduler.runtime.Loop;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives each call its {@link CallMemory}.
 *
 * <p>It ends calls that exceed their memory, counts large responses until callers have taken them, and cancels calls
 * whose callers leave them unread. It comes before all other interceptors.
 */
final class MemoryInterceptor extends ServerStreamTracer.Factory implements ServerInterceptor, AutoCloseable {
    /** Responses up to this size are covered by what is reserved for each call. */
    private static final int SMALL_ANSWER_BYTES = CallMemory.CALL_BYTES;
    /** Longest time for which a caller may leave a large response unread. */
    private static final Duration UNREAD_TIME_MAX = Duration.ofSeconds(20);

    /** Longest time that a caller may take to send one large message. */
    private static final Duration UNFINISHED_TIME_MAX = Duration.ofSeconds(60);

    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(5);

    private final RpcMemory memory;
    private final CallGuards.Strangers strangers;
    private final CallsOfStrangers openCalls;
    private final Set<CallMemory> watched = ConcurrentHashMap.newKeySet();
    private final Loop watch;

    /** @param strangers tells of whom nobody knows who they are */
    MemoryInterceptor(RpcMemory memory, CallGuards.Strangers strangers) {
        this.memory = memory;
        this.strangers = strangers;
        this.openCalls = new CallsOfStrangers(memory);
        this.watch = Loop.start(
                "large-messages",
                LOOK_INTERVAL,
                () -> watched.forEach(call -> {
                    call.endIfUnread(UNREAD_TIME_MAX);
                    call.endIfUnfinished(UNFINISHED_TIME_MAX);
                }));
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        return new CallMemory(memory, fullMethodName, watched, openCalls);
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        CallMemory own = CallMemory.KEY.get();
        if (own == null) {
            throw new IllegalStateException("the call has no memory: its tracer is missing");
        }
        CountedCall<Q, A> counted = new CountedCall<>(call, own);
        if (!own.admit(counted::refuse)) {
            return new Listener<>() {};
        }
        if (strangers.include(call, headers)) {
            own.ofStranger();
        }
        return new CountedListener<>(
                next.startCall(counted, headers),
                counted,
                own,
                call.getMethodDescriptor().getType());
    }

    @Override
    public void close() {
        watch.close();
    }

    /** A call that ignores everything its service does after it was refused. */
    private static final class CountedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
        private final CallMemory own;

        CountedCall(ServerCall<Q, A> call, CallMemory own) {
            super(call);
            this.own = own;
        }

        synchronized void refuse(Status status, Metadata trailers) {
            super.close(status, trailers);
        }

        /**
         * Releases the responses if the transport has passed them on. It also says that it is ready after the first part
         * of a large response, while the others are still being handed over. Responses of a call that has ended are
         * released when its stream is closed.
         */
        synchronized void releaseIfTaken() {
            if (isReady()) {
                own.answersTaken();
            }
        }

        @Override
        public void request(int messages) {
            if (!own.isSession() && !getMethodDescriptor().getType().clientSendsOneMessage()) {
                own.messagesAnswered(messages);
            }
            super.request(messages);
        }

        @Override
        public synchronized void sendHeaders(Metadata headers) {
            if (!own.isRefused()) {
                super.sendHeaders(headers);
            }
        }

        @Override
        public synchronized void sendMessage(A message) {
            if (own.isRefused()) {
                return;
            }
            int bytes = message instanceof MessageLite proto && !own.isSession() ? proto.getSerializedSize() : 0;
            if (bytes > SMALL_ANSWER_BYTES && !own.admitAnswer(bytes)) {
                return;
            }
            super.sendMessage(message);
        }

        @Override
        public synchronized void close(Status status, Metadata trailers) {
            if (!own.isRefused()) {
                super.close(status, trailers);
            }
        }
    }

    private static final class CountedListener<Q> extends SimpleForwardingServerCallListener<Q> {
        private final CountedCall<Q, ?> call;
        private final CallMemory own;

        private final MethodType type;

        CountedListener(Listener<Q> served, CountedCall<Q, ?> call, CallMemory own, MethodType type) {
            super(served);
            this.call = call;
            this.own = own;
            this.type = type;
        }

        @Override
        public void onMessage(Q message) {
            if (!own.isRefused()) {
                if (!type.clientSendsOneMessage()) {
                    own.messageArrived();
                }
                super.onMessage(message);
                own.messageHandled();
            }
        }

        @Override
        public void onHalfClose() {
            if (type.serverSendsOneMessage()) {
                own.endsSoon();
            }
            if (!own.isRefused()) {
                super.onHalfClose();
            }
        }

        @Override
        public void onReady() {
            call.releaseIfTaken();
            super.onReady();
        }
    }
}
