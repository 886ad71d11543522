package dev.millrace.gateway.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.millrace.memory.MemoryPart;
import dev.millrace.memory.Reservation;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the answers to one call: reserved as they arrive from the scheduler, released when they have been sent to
 * the caller. If the budget is exceeded, the call is canceled.
 *
 * <p>In a stream, a request for the next message releases the oldest one; the end of the HTTP request releases the
 * rest. Thread-safe.
 */
final class AnswerMemory extends ClientStreamTracer {

    private static final int RETRY_SECONDS = 1;

    private final MemoryPart part;
    private final Reservation reservation;
    private final ConcurrentLinkedQueue<Long> unsentMessages = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable ClientCall<?, ?>> call = new AtomicReference<>();
    private final AtomicBoolean refused = new AtomicBoolean();

    AnswerMemory(MemoryPart part) {
        this.part = part;
        this.reservation = new Reservation(part);
    }

    /** Returns call options that count the answers in this memory. */
    CallOptions counting(CallOptions options) {
        return options.withStreamTracerFactory(new ClientStreamTracer.Factory() {
            @Override
            public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
                return AnswerMemory.this;
            }
        });
    }

    /** Wraps a call so that each request for a message releases the oldest one. */
    <Q, A> ClientCall<Q, A> of(ClientCall<Q, A> counted) {
        call.set(counted);
        return new SimpleForwardingClientCall<>(counted) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                if (refused.get()) {
                                    var refusal = refusal();
                                    super.onClose(refusal.getStatus(), refusal.getTrailers());
                                } else {
                                    super.onClose(status, trailers);
                                }
                            }
                        },
                        headers);
            }

            @Override
            public void request(int messages) {
                for (int i = 0; i < messages; i++) {
                    var bytes = unsentMessages.poll();
                    if (bytes != null) {
                        reservation.release(bytes);
                    }
                }
                super.request(messages);
            }
        };
    }

    /** Releases everything. */
    void close() {
        reservation.close();
    }

    @Override
    public void inboundWireSize(long bytes) {
        var running = call.get();
        if (!reservation.tryGrow(bytes) && running != null && refused.compareAndSet(false, true)) {
            running.cancel("The gateway has no room for the answer.", null);
        }
    }

    @Override
    public void inboundMessageRead(int number, long wireBytes, long bytes) {
        unsentMessages.add(wireBytes);
    }

    private StatusRuntimeException refusal() {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
                .setMessage("The answers that the gateway holds fill their limit of " + part.limitBytes()
                        + " bytes, so there is no room for this one. Repeat the request later, or ask for less; if this happens often, give"
                        + " the gateway a larger heap (-Xmx).")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setDomain("millrace.dev")
                        .setReason("OVERLOADED")
                        .build()))
                .addDetails(Any.pack(RetryInfo.newBuilder()
                        .setRetryDelay(Duration.newBuilder().setSeconds(RETRY_SECONDS))
                        .build()))
                .build());
    }
}
